// The real programs: the home and the environment that each needs to reach the scripted model.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package and version of each program; scripts/agents.mjs reads the same file. */
const PACKAGES: Readonly<Record<string, { readonly version: string }>> = JSON.parse(
  readFileSync('test/programs/programs.json', 'utf8'),
);

export type ProgramName = 'claude' | 'codex' | 'gemini' | 'opencode';

export interface Program {
  readonly name: ProgramName;
  readonly version: string;
  /** The flags of a profile for this model. */
  readonly flags: readonly string[];
  /** The variables that point it to the model. They are configured in cadre, which passes on no others. */
  env(url: string): Readonly<Record<string, string>>;
  /** Files in its home, as if a person had used the program before. */
  home(url: string): Readonly<Record<string, string>>;
  /** What a person types to exit. */
  readonly leave: string;
  readonly asksForTrust: boolean;
  /** Whether a hook reports the end of its turn. */
  readonly reportsTurns: boolean;
}

function claudeVariables(url: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: url,
    // It would ask about a key, but not about a token.
    ANTHROPIC_AUTH_TOKEN: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

const PROGRAMS: Readonly<Record<ProgramName, Omit<Program, 'name' | 'version'>>> = {
  claude: {
    flags: [],
    env: claudeVariables,
    home: (url) => ({
      '.claude.json': JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark' }),
      '.claude/settings.json': JSON.stringify({ env: claudeVariables(url) }),
    }),
    leave: '/exit',
    asksForTrust: true,
    reportsTurns: true,
  },
  codex: {
    flags: ['--disable', 'plugins', '--disable', 'apps'],
    env: () => ({}),
    home: (url) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "scripted"',
        '[analytics]',
        'enabled = false',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'experimental_bearer_token = "none"',
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    leave: '/quit',
    asksForTrust: true,
    reportsTurns: true,
  },
  gemini: {
    // Otherwise it asks a smaller model first which one to use.
    flags: ['--model', 'gemini-2.5-flash'],
    env: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
    home: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    leave: '/quit',
    asksForTrust: true,
    reportsTurns: false,
  },
  opencode: {
    flags: [],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    home: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'scripted/scripted',
        enabled_providers: ['scripted'],
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { scripted: { name: 'Scripted' } },
          },
        },
      }),
    }),
    leave: '/exit',
    asksForTrust: false,
    reportsTurns: false,
  },
};

export function programs(wanted: string): readonly Program[] {
  return (Object.keys(PROGRAMS) as ProgramName[])
    .filter((name) => wanted.split(',').includes(name))
    .map((name) => ({ name, version: PACKAGES[name]?.version ?? '', ...PROGRAMS[name] }));
}

export function prepareHome(program: Program, home: string, url: string): void {
  const files = { '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n', ...program.home(url) };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}

/** Claude Code asks once per repository, and no option answers that: as if a person had said yes. */
export function trustFolder(home: string, folder: string): void {
  const path = join(home, '.claude.json');
  const settings = JSON.parse(readFileSync(path, 'utf8'));
  const projects = { ...settings.projects, [folder]: { hasTrustDialogAccepted: true } };
  writeFileSync(path, JSON.stringify({ ...settings, projects }));
}
