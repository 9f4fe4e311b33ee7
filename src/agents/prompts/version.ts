// The version of the prompts, which the record of each turn contains. A test asks for a new one when a prompt changes.
export const PROMPTS_VERSION = 2;
