// Whether somebody seems to have signed in to an agent program: it has left files in the home folder, or a variable holds a
// key. Only checks that they exist, and asks nobody.

export interface Login {
  readonly program: string;
  readonly files: readonly string[];
  readonly variables: readonly string[];
}

/** In the order in which they are proposed. */
export const LOGINS: readonly Login[] = [
  {
    program: 'claude',
    files: ['.claude/.credentials.json', '.claude.json'],
    variables: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
  },
  { program: 'codex', files: ['.codex/auth.json'], variables: ['OPENAI_API_KEY'] },
  { program: 'gemini', files: ['.gemini/oauth_creds.json'], variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] },
  {
    program: 'opencode',
    files: ['.local/share/opencode/auth.json'],
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
  },
  {
    program: 'aider',
    files: ['.aider.conf.yml'],
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
  },
];
