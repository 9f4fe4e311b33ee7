// What holds for every agent program and every request: the suite that the file of a new program must pass.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Agent, Start, StartRequest } from '../../src/agents/agent.ts';
import { findAgent, KNOWN_AGENTS } from '../../src/agents/registry.ts';
import { splitCommand } from '../../src/text/command-line.ts';
import { quoteForShell } from '../../src/text/shell.ts';

const REQUEST: StartRequest = {
  session: 's1',
  role: 'implementer',
  program: '/opt/bin/agent',
  flags: ['--model', 'large'],
  worktree: '/home/ada/.cadre/worktrees/search t3',
  folder: '/home/ada/.cadre/sessions/s1/agent',
  messages: '/home/ada/.cadre/sessions/s1/messages',
  reads: [],
  prompt: 'Build the tokenizer and commit it.',
  cadre: ['/usr/bin/node', '/opt/cadre/dist/main.js'],
  verify: ['npm', 'test', '--', 'tokens'],
  writable: ['/home/ada/search/.git', '/home/ada/.cadre/repos/search-1/inbox/s1'],
  author: () => ({ name: 'Ada', email: 'ada@example.org' }),
  trusted: false,
};

/** Words that would do harm if they were interpreted in any way. */
const hostile = fc.oneof(
  fc.constantFrom(
    '$(touch x)',
    '`id`',
    "'; rm -rf ~; '",
    '"',
    '\\',
    '*',
    ':*)',
    'a b',
    '#{x}',
    '!ls',
    '/clear',
    '--yolo',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
);

const prompts = fc.oneof(
  hostile,
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '',
    ' ',
    '-',
    '--help',
    'update',
    '/exit now',
    '!ls all',
    '@file and more',
    'a\0b c',
    'x y'.repeat(9_000),
  ),
  fc.constant(`Wörter ${'ü'.repeat(4_000)}`),
);

const requests: fc.Arbitrary<StartRequest> = fc
  .record({
    prompt: prompts,
    verify: fc.oneof(fc.constant(null), fc.array(hostile, { maxLength: 3 })),
    worktree: hostile.map((name) => `/home/ada/${name}`),
    writable: fc.array(
      hostile.map((name) => `/git/${name}`),
      { maxLength: 2 },
    ),
    cadre: hostile.map((name) => ['/usr/bin/node', `/opt/${name}/main.js`]),
    trusted: fc.boolean(),
  })
  .map((changes) => ({ ...REQUEST, ...changes }));

function startsOf(agent: Agent, request: StartRequest): readonly Start[] {
  const starts = [agent.start(request), agent.headless(request), agent.resume(request), agent.resumeHeadless(request)];
  return starts.filter((start) => start !== undefined);
}

/** Checks the property for every way to start the agent, with any request. */
function always(agent: Agent, holds: (start: Start, request: StartRequest) => void): void {
  fc.assert(
    fc.property(requests, (request) => {
      for (const start of startsOf(agent, request)) holds(start, request);
    }),
    { numRuns: 200 },
  );
}

describe.each(KNOWN_AGENTS.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  test('says in one line what its file is based on', () => {
    expect(agent.basis).toMatch(/^[A-Z][^\n]{20,}\.$/);
  });

  test('is the program of the profile, with the flags of the profile together and in order', () => {
    for (const { argv } of startsOf(agent, REQUEST)) {
      expect(argv[0]).toBe('/opt/bin/agent');
      expect(argv[argv.indexOf('--model') + 1]).toBe('large');
    }
  });

  test('gets no argument and no variable that contains NUL', () => {
    always(agent, ({ argv, env }) => expect([...argv, ...Object.values(env)].join('')).not.toContain('\0'));
  });

  test('gets a long prompt in a file, not as an argument', () => {
    always(agent, ({ argv, files }, { prompt }) => {
      const longest = Math.max(...argv.map((argument) => new TextEncoder().encode(argument).length));
      expect(longest).toBeLessThanOrEqual(8_000);
      if (prompt.length > 8_000) expect(files.some((file) => file.text.includes(prompt))).toBe(true);
    });
  });

  test('never mistakes a prompt for an option or one of its commands', () => {
    always(agent, ({ argv }, { prompt }) => {
      if (/^\s*[-/!@#]/.test(prompt)) expect(argv).not.toContain(prompt);
    });
  });

  test('gets every prompt, in the declared way', () => {
    always(agent, (start, { prompt }) => {
      if (prompt.trim() === '') return;
      if (start.prompt === 'argv') expect(start.argv).toContain(prompt);
      if (start.prompt !== 'file') return;
      const file = start.files.find(({ text }) => text.includes(prompt));
      expect(start.argv.some((argument) => argument.includes(file?.path ?? '?'))).toBe(true);
    });
  });

  test('gets an empty input without a terminal if it would wait for the end of the input', () => {
    const reading = ['claude', 'codex', 'gemini', 'opencode'].includes(agent.name);
    for (const start of [agent.headless(REQUEST), agent.resumeHeadless(REQUEST)])
      expect(start?.input).toBe(reading ? 'none' : undefined);
    for (const start of [agent.start(REQUEST), agent.resume(REQUEST)]) expect(start?.input).toBeUndefined();
  });

  test('does not start without a terminal if the prompt is blank', () => {
    expect(agent.headless({ ...REQUEST, prompt: ' \n' })).toBeUndefined();
    expect(agent.resumeHeadless({ ...REQUEST, prompt: ' \n' })).toBeUndefined();
  });

  test('has its files in the folder of its session, and its prompt where it may read it', () => {
    always(agent, ({ files }, { folder, messages }) => {
      for (const { path } of files) {
        expect(path.startsWith(`${folder}/`) || path === `${messages}/prompt.md`).toBe(true);
        expect(path.split('/')).not.toContain('..');
      }
      expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    });
  });

  test('may only run git add, git commit, the verify command, cadre signal and cadre diff without asking', () => {
    always(agent, (start, request) => {
      const open = [
        ['git', 'add'],
        ['git', 'commit'],
        [...request.cadre, 'signal'],
        [...request.cadre, 'diff'],
      ].map(asText);
      const exact = request.verify === null ? [] : [asText(request.verify)];
      for (const { words, more } of granted(start).commands)
        expect(more ? open : [...open, ...exact]).toContain(asText(words));
    });
  });

  test('may run these if the program has a list of allowed commands', () => {
    const { hasList, commands } = granted(agent.start(REQUEST));
    const expected = [
      ['git', 'add'],
      ['git', 'commit'],
      [...REQUEST.cadre, 'signal'],
      [...REQUEST.cadre, 'diff'],
      ['npm', 'test', '--', 'tokens'],
    ];
    expect(commands.map(({ words }) => words)).toEqual(hasList ? expected : []);
  });

  test('may only write in the worktree, in the folders that a commit and a signal need, and beside its prompt', () => {
    always(agent, (start, request) => {
      for (const folder of granted(start).folders) expect([request.messages, ...request.writable]).toContain(folder);
    });
  });

  test('is never started with an option that allows everything', () => {
    always(agent, ({ argv, env, files }, { prompt, verify, ...request }) => {
      const data = [prompt, ...(verify ?? []), request.worktree, ...request.cadre, ...request.writable];
      const options = argv.filter((argument) => !data.includes(argument) && argument.startsWith('-'));
      expect(options.join(' ')).not.toMatch(/dangerous|bypass|yolo|full-(?:auto|access)|--auto(?: |$)|--yes(?: |$)/);
      for (const text of [...Object.values(env), ...files.map((file) => file.text)])
        if (!text.includes(prompt)) expect(text).not.toMatch(/bypassPermissions|danger-full-access/);
    });
  });

  test('trusts the worktree automatically only if a person has agreed to that', () => {
    const trusting = /skip-trust|trust_level|TRUST_FOLDER/;
    const texts = startsOf(agent, REQUEST).flatMap(({ argv, files }) => [...argv, ...files.map(({ text }) => text)]);
    expect(texts.join(' ')).not.toMatch(trusting);
  });

  test('reads any report, and the result is safe to show', () => {
    const payloads = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      reports.map((report) => JSON.stringify(report)),
    );
    fc.assert(
      fc.property(payloads, (payload) => {
        for (const value of Object.values(agent.readReport(payload))) expect(value).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

const reports = fc.record(
  {
    hook_event_name: fc.constantFrom<unknown>('Stop', 'Notification', 'SessionStart', 'Other', 3, null),
    message: fc.oneof<fc.Arbitrary<unknown>[]>(
      fc.string({ unit: 'binary' }).map((text) => `permission ${text}`),
      fc.anything(),
    ),
    type: fc.constantFrom<unknown>('agent-turn-complete', 'other', {}),
    'input-messages': fc.oneof<fc.Arbitrary<unknown>[]>(fc.array(fc.oneof(fc.string(), fc.integer())), fc.anything()),
  },
  { requiredKeys: [] },
);

interface Granted {
  readonly hasList: boolean;
  readonly commands: readonly { readonly words: readonly string[]; readonly more: boolean }[];
  readonly folders: readonly string[];
}

/** What a start allows, according to the documentation of the programs. Fails on an unknown rule. */
function granted({ argv, env, files }: Start): Granted {
  const settings = files.find(({ path }) => path.endsWith('claude-settings.json'));
  const rules: readonly string[] = settings === undefined ? [] : JSON.parse(settings.text).permissions.allow;
  const others = rules.filter((rule) => !rule.startsWith('Bash('));
  expect(['Edit', 'Write', `Read(/${REQUEST.messages}/**)`]).toEqual(expect.arrayContaining([...others]));
  const bash: Readonly<Record<string, string>> = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{"permission":{}}')
    .permission.bash ?? { '*': 'ask' };
  const outside: Readonly<Record<string, string>> =
    JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '{"permission":{}}').permission.external_directory ?? {};
  // The last matching rule counts, so the general rule must be the first.
  expect(Object.keys(bash)[0]).toBe('*');
  const policy = files.find(({ path }) => path.endsWith('gemini-policy.toml'))?.text ?? '';
  const prefixes = [...policy.matchAll(/^commandPrefix = ([^\n]*)\n/gm)].map(
    ([, text = '']) => `${JSON.parse(text)} *`,
  );
  const exact = [...policy.matchAll(/^commandRegex = ([^\n]*)\n/gm)].map(([, text = '']) => JSON.parse(text));
  const tools = [...prefixes, ...exact.map((pattern) => JSON.parse(`"${pattern.replace(/\\([.+^$|/\\-])/g, '$1')}`))];
  const roots = valuesOf(argv, '-c').filter((setting) => setting.startsWith('sandbox_workspace_write.writable_roots='));
  return {
    hasList: rules.length + tools.length + Object.keys(bash).length > 1,
    commands: [
      ...rules.filter((rule) => rule.startsWith('Bash(')).map((rule) => command(rule.slice(5, -1), ':*')),
      ...Object.keys(bash)
        .filter((pattern) => bash[pattern] !== 'ask')
        .map((pattern) => command(pattern, ' *')),
      ...tools.map((tool) => command(tool, ' *')),
    ],
    folders: [
      ...roots.flatMap((setting): readonly string[] => JSON.parse(setting.slice(setting.indexOf('=') + 1))),
      ...valuesOf(argv, '--include-directories'),
      ...Object.keys(outside)
        .filter((pattern) => outside[pattern] !== 'ask')
        .map((pattern) => pattern.replace(/\/\*$/, '')),
    ],
  };
}

function command(pattern: string, more: string): Granted['commands'][number] {
  const isOpen = more !== '' && pattern.endsWith(more);
  const text = isOpen ? pattern.slice(0, -more.length) : pattern;
  expect(text).not.toMatch(/\*/);
  const split = splitCommand(text);
  return { words: split === undefined ? [] : [split.program, ...split.flags], more: isOpen };
}

function valuesOf(argv: readonly string[], option: string): readonly string[] {
  return argv.flatMap((argument, index) => (argument === option ? [argv[index + 1] ?? ''] : []));
}

function asText(argv: readonly string[]): string {
  return JSON.stringify(argv);
}

test('sh reads a quoted argument list back unchanged', () => {
  const lists = fc.array(fc.oneof(hostile, fc.string({ unit: 'binary' })), { minLength: 1 });
  fc.assert(
    fc.property(lists, (argv) => {
      const split = splitCommand(quoteForShell(['x', ...argv]));
      expect(split).toEqual({ program: 'x', flags: argv });
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [['npm', 'test'], 'npm test'],
  [['a b', '$(x)', "it's", ''], "'a b' '$(x)' 'it'\\''s' ''"],
  [['A=1', '--x=1'], "'A=1' --x=1"],
  [['~', '*', 'a;b', '\n'], "'~' '*' 'a;b' '\n'"],
])('%j is quoted for sh as %s', (argv, line) => {
  expect(quoteForShell(argv)).toBe(line);
});

test.each([
  ['claude', 'claude'],
  ['/opt/homebrew/bin/codex', 'codex'],
  ['opencode', 'opencode'],
  ['gemini', 'gemini'],
  ['aider', 'aider'],
  ['/x/cadre-scripted-agent', 'scripted'],
  ['claude-wrapper', 'generic'],
  ['constructor', 'generic'],
  ['', 'generic'],
])('the program %j is %s', (program, name) => {
  expect(findAgent(program).name).toBe(name);
});
