// The version, put here by the build from package.json.
declare const CADRE_VERSION: string;

export const VERSION: string = CADRE_VERSION;
