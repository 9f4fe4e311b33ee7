// Each agent program: the exact command lines that start it, and what its reports mean.
import { describe, expect, test } from 'vitest';
import type { StartRequest } from '../../src/agents/agent.ts';
import { aider } from '../../src/agents/programs/aider.ts';
import { claude } from '../../src/agents/programs/claude.ts';
import { codex } from '../../src/agents/programs/codex.ts';
import { gemini } from '../../src/agents/programs/gemini.ts';
import { generic } from '../../src/agents/programs/generic.ts';
import { opencode } from '../../src/agents/programs/opencode.ts';
import { scripted } from '../../src/agents/programs/scripted.ts';

const PROMPT = 'Build the tokenizer.';

const REQUEST: StartRequest = {
  session: 's1',
  role: 'implementer',
  program: 'agent',
  flags: ['--model', 'large'],
  worktree: '/home/ada/.cadre/w/search',
  folder: '/run/s1',
  messages: '/run/s1/messages',
  reads: ['/run/x/t1-a1/agents'],
  prompt: PROMPT,
  cadre: ['cadre'],
  verify: ['npm', 'test'],
  writable: ['/home/ada/search/.git'],
  author: () => ({ name: 'Ada', email: 'ada@example.org' }),
  trusted: true,
};

const IN_FILE = { ...REQUEST, prompt: '/exit is what you must not do' };

describe('claude', () => {
  const settings = ['--settings', '/run/s1/claude-settings.json'];
  const edits = ['--permission-mode', 'acceptEdits', '--model', 'large'];

  test('gets its prompt last, after an option that takes exactly one value', () => {
    expect(claude.start(REQUEST).argv).toEqual(['agent', ...edits, ...settings, PROMPT]);
    expect(claude.headless(REQUEST)?.argv).toEqual([
      'agent',
      ...['-p', '--output-format', 'json'],
      ...edits,
      ...settings,
      PROMPT,
    ]);
    expect(claude.resume(REQUEST)?.argv).toEqual(['agent', '--continue', ...edits, ...settings, PROMPT]);
    expect(claude.resumeHeadless(REQUEST)?.argv).toEqual([
      'agent',
      ...['-p', '--output-format', 'json', '--continue'],
      ...edits,
      ...settings,
      PROMPT,
    ]);
  });

  test('gets its permissions and hooks in a settings file of the session', () => {
    const hook = [{ hooks: [{ type: 'command', command: "cadre hook 's 1' || :" }] }];
    const [file] = claude.start({ ...REQUEST, session: 's 1' }).files;
    expect(JSON.parse(file?.text ?? '')).toEqual({
      permissions: {
        allow: [
          ...['Edit', 'Write', 'Bash(git add:*)', 'Bash(git commit:*)', 'Bash(cadre signal:*)'],
          ...['Bash(cadre diff:*)', 'Bash(npm test)'],
          'Read(//run/s1/messages/**)',
          'Read(//run/x/t1-a1/agents/**)',
        ],
      },
      hooks: { SessionStart: hook, Notification: hook, Stop: hook },
    });
  });

  test('may read message files, but not edit them', () => {
    const { argv, files } = claude.start(IN_FILE);
    expect(argv.at(-1)).toBe('Read /run/s1/messages/prompt.md and do what it says.');
    expect(files.map(({ path }) => path)).toEqual(['/run/s1/claude-settings.json', '/run/s1/messages/prompt.md']);
    expect(files[0]?.text).not.toContain('additionalDirectories');
  });

  test.each([['rm -rf *'], ['test:*)'], ['a\nb']])('asks before it runs a verify command such as %j', (word) => {
    const [file] = claude.start({ ...REQUEST, verify: ['sh', word] }).files;
    expect(file?.text).not.toContain('Bash(sh');
  });

  test.each([
    [{ hook_event_name: 'Stop', last_assistant_message: 'Done.' }, { kind: 'turn-finished' }],
    [{ hook_event_name: 'SessionStart', source: 'startup' }, { kind: 'session-started' }],
    [
      { hook_event_name: 'Notification', message: 'Claude needs your permission to use Bash' },
      { kind: 'asks-permission', question: 'Claude needs your permission to use Bash' },
    ],
    [{ hook_event_name: 'Notification', message: 'Claude is waiting for your input' }, { kind: 'nothing' }],
    [{ hook_event_name: 'Stop'.toLowerCase() }, { kind: 'nothing' }],
  ])('reports %j, which means %j', (payload, report) => {
    expect(claude.readReport(JSON.stringify(payload))).toEqual(report);
  });
});

describe('codex', () => {
  const settings = [
    ...['-c', 'notify=["cadre", "hook", "s1"]'],
    ...['-c', 'sandbox_workspace_write.writable_roots=["/home/ada/search/.git"]'],
    ...['-c', 'projects={"/home/ada/.cadre/w/search"={trust_level="trusted"}}'],
  ];
  const daemon = ['--disable', 'daemon_auto_start'];
  const asking = ['-s', 'workspace-write', '-a', 'on-request'];
  const end = ['--model', 'large', '--', PROMPT];

  test('is confined to the worktree and the git folder, and gets its prompt after "--"', () => {
    expect(codex.start(REQUEST).argv).toEqual(['agent', ...daemon, ...asking, ...settings, ...end]);
    expect(codex.headless(REQUEST)?.argv).toEqual([
      ...['agent', 'exec', '--json', ...daemon, '-s', 'workspace-write'],
      ...settings,
      ...end,
    ]);
    expect(codex.resume(REQUEST)?.argv).toEqual([
      ...['agent', 'resume', '--last', ...daemon, ...asking],
      ...settings,
      ...end,
    ]);
    expect(codex.resumeHeadless(REQUEST)?.argv).toEqual([
      ...['agent', 'exec', '--json', ...daemon, '-s', 'workspace-write'],
      ...settings,
      ...['--model', 'large', 'resume', '--last', '--', PROMPT],
    ]);
  });

  test.each([[['-s', 'read-only']], [['--sandbox=read-only']], [['--sandbox', 'read-only']]])(
    'leaves the sandbox to a profile with %j',
    (flags) => {
      expect(codex.start({ ...REQUEST, flags }).argv).not.toContain('workspace-write');
    },
  );

  test('gets paths quoted, whatever characters they contain', () => {
    const worktree = '/w/a.b "c" \\d \x7f';
    expect(codex.start({ ...REQUEST, worktree }).argv).toContain(
      'projects={"/w/a.b \\"c\\" \\\\d \\u007f"={trust_level="trusted"}}',
    );
  });

  test.each([
    ['Build the tokenizer.', 'turn-finished'],
    ['Generate titles for all pages of the site.\nEach page has one.', 'turn-finished'],
    [
      'You are a helpful assistant. You will be presented with a user prompt, and your job is to provide a short title for a task that will be created from that prompt.',
      'nothing',
    ],
    ['Generate a concise UI title (18-36 characters) for this task.', 'nothing'],
    [
      'Generate a concise, single-line task title of at most 36 characters and under five words where possible. Start with an imperative verb.\n\nUser prompt:\nYou are the implementer of one task of a plan.',
      'nothing',
    ],
  ])('reports the end of a turn that started with %j, which means %s', (message, kind) => {
    const payload = { type: 'agent-turn-complete', 'input-messages': [message], 'last-assistant-message': 'Done.' };
    expect(codex.readReport(JSON.stringify(payload))).toEqual({ kind });
  });

  test.each([
    [{ type: 'agent-turn-complete', 'input-messages': [] }],
    [{ type: 'agent-turn-complete' }],
    [{ type: 'approval-requested', 'input-messages': ['x'] }],
  ])('reports %j, which means nothing', (payload) => {
    expect(codex.readReport(JSON.stringify(payload))).toEqual({ kind: 'nothing' });
  });
});

describe('opencode', () => {
  test('gets its prompt as an option, and without a terminal in a file', () => {
    expect(opencode.start(REQUEST).argv).toEqual(['agent', '--model', 'large', '--prompt', PROMPT]);
    const inFile = 'Read /run/s1/messages/prompt.md and do what it says.';
    expect(opencode.headless(REQUEST)?.argv).toEqual(['agent', 'run', '--format', 'json', '--model', 'large', inFile]);
    expect(opencode.headless(REQUEST)?.files).toEqual([{ path: '/run/s1/messages/prompt.md', text: PROMPT }]);
    expect(opencode.resume({ ...REQUEST, prompt: '' })?.argv).toEqual(['agent', '--continue', '--model', 'large']);
    expect(opencode.resume(REQUEST)).toBeUndefined();
    expect(opencode.resumeHeadless(REQUEST)?.argv).toEqual([
      ...['agent', 'run', '--format', 'json', '--continue', '--model', 'large'],
      inFile,
    ]);
  });

  test('asks before it runs a command that has no rule after the general one', () => {
    const config = opencode.start(REQUEST).env.OPENCODE_CONFIG_CONTENT ?? '';
    expect(JSON.parse(config).permission.edit).toBe('allow');
    expect(Object.entries(JSON.parse(config).permission.bash)).toEqual([
      ['*', 'ask'],
      ['git add *', 'allow'],
      ['git commit *', 'allow'],
      ['cadre signal *', 'allow'],
      ['cadre diff *', 'allow'],
      ['npm test', 'allow'],
    ]);
  });

  test('may read the folder of message files, and no other', () => {
    const outside = (request: StartRequest) =>
      JSON.parse(opencode.start(request).env.OPENCODE_CONFIG_CONTENT ?? '').permission.external_directory;
    expect(outside(REQUEST)).toEqual({
      '*': 'ask',
      '/run/s1/messages/*': 'allow',
      '/run/x/t1-a1/agents/*': 'allow',
    });
    expect(outside({ ...REQUEST, messages: '/run/*/messages', reads: [] })).toEqual({ '*': 'ask' });
  });
});

describe('gemini', () => {
  const start = [
    ...['agent', '--skip-trust', '--approval-mode', 'auto_edit', '--policy', '/run/s1/gemini-policy.toml'],
    ...[
      '--include-directories',
      '/run/s1/messages',
      '--include-directories',
      '/run/x/t1-a1/agents',
      '--model',
      'large',
    ],
  ];

  test('edits without asking, and continues its latest conversation', () => {
    expect(gemini.start(REQUEST).argv).toEqual([...start, '-i', PROMPT]);
    expect(gemini.headless(REQUEST)?.argv).toEqual([...start, '-o', 'json', '-p', PROMPT]);
    expect(gemini.resume(REQUEST)?.argv).toEqual([...start, '--resume', 'latest', PROMPT]);
    expect(gemini.resumeHeadless(REQUEST)?.argv).toEqual([...start, '--resume', 'latest', '-o', 'json', '-p', PROMPT]);
  });

  test('runs allowed commands, with further arguments or exactly', () => {
    const verify = ['npm', 'run', 'test:a+b', '"x"'];
    const policy = gemini.start({ ...REQUEST, verify }).files[0]?.text ?? '';
    expect(policy.match(/^command.*$/gm)).toEqual([
      'commandPrefix = "git add"',
      'commandPrefix = "git commit"',
      'commandPrefix = "cadre signal"',
      'commandPrefix = "cadre diff"',
      `commandRegex = ${JSON.stringify('npm run test:a\\+b \'\\\\"x\\\\"\'"')}`,
    ]);
    expect(policy.match(/^decision.*$/gm)).toEqual(Array(5).fill('decision = "allow"'));
  });

  test('may read the folder of message files, which is trusted if the worktree is', () => {
    const { env, files } = gemini.start(REQUEST);
    const trusted = files.find(({ path }) => path === env.GEMINI_CLI_TRUSTED_FOLDERS_PATH);
    expect(JSON.parse(trusted?.text ?? '')).toEqual({
      '/run/s1/messages': 'TRUST_FOLDER',
      '/run/x/t1-a1/agents': 'TRUST_FOLDER',
    });
    const asking = { ...REQUEST, trusted: false, reads: [] };
    expect(gemini.start(asking).argv).not.toContain('--include-directories');
    expect(gemini.start({ ...asking, prompt: IN_FILE.prompt }).argv).toContain('--include-directories');
    expect(gemini.start(asking).env).not.toHaveProperty('GEMINI_CLI_TRUSTED_FOLDERS_PATH');
  });

  test('gets the git identity, because its shell hides the person’s settings', () => {
    expect(gemini.start(REQUEST).env).toMatchObject({ GIT_CONFIG_COUNT: '2', GIT_CONFIG_VALUE_0: 'Ada' });
    expect(gemini.start({ ...REQUEST, author: () => null }).env).not.toHaveProperty('GIT_CONFIG_COUNT');
  });
});

describe('aider', () => {
  test('gets the prompt in a file: as a file to read, or as its only message', () => {
    expect(aider.start(REQUEST)).toMatchObject({ prompt: 'input' });
    expect(aider.start(REQUEST).argv.slice(-2)).toEqual(['--read', '/run/s1/prompt.md']);
    expect(aider.headless(REQUEST)).toMatchObject({ prompt: 'file' });
    expect(aider.headless(REQUEST)?.argv.slice(-2)).toEqual(['--message-file', '/run/s1/prompt.md']);
    expect(aider.headless(IN_FILE)?.files[0]?.text).toBe(`Your task:\n\n${IN_FILE.prompt}`);
  });

  test('commits automatically, with the repository’s hooks, and runs no commands', () => {
    const { argv } = aider.start(REQUEST);
    expect(argv).toEqual(
      expect.arrayContaining([
        '--auto-commits',
        '--git-commit-verify',
        '--no-suggest-shell-commands',
        '--no-gitignore',
      ]),
    );
    expect(argv[argv.indexOf('--notifications-command') + 1]).toBe('cadre hook s1 turn-finished');
  });

  test('reports with a fixed word that it waits for input', () => {
    expect(aider.readReport('turn-finished')).toEqual({ kind: 'turn-finished' });
    expect(aider.readReport('{}')).toEqual({ kind: 'nothing' });
  });
});

describe('any other program', () => {
  test.each([
    [['--yes'], ['--yes', PROMPT]],
    [
      ['--ask', '{prompt}', '--now'],
      ['--ask', PROMPT, '--now'],
    ],
    [['--ask={prompt}'], [`--ask=${PROMPT}`]],
    [
      ['--file', '{prompt_file}'],
      ['--file', '/run/s1/prompt.md'],
    ],
    [['--file={prompt_file}'], ['--file=/run/s1/prompt.md']],
    [
      ['-c', 'agent {prompt} | tee'],
      ['-c', 'agent {prompt} | tee', PROMPT],
    ],
  ])('with the flags %j gets %j', (flags, given) => {
    expect(generic.start({ ...REQUEST, flags }).argv).toEqual(['agent', ...given]);
  });

  test('gets a prompt that contains placeholders unchanged', () => {
    const prompt = 'Replace {prompt} and {prompt_file}.';
    expect(generic.start({ ...REQUEST, prompt, flags: ['{prompt}'] }).argv).toEqual(['agent', prompt]);
  });

  test('gets no prompt argument if the prompt is blank', () => {
    expect(generic.start({ ...REQUEST, prompt: '' })).toEqual({
      argv: ['agent', '--model', 'large'],
      env: {},
      files: [],
      prompt: 'argv',
    });
  });
});

test('the scripted agent gets its prompt in a file, and the command for cadre', () => {
  expect(scripted.start(REQUEST)).toEqual({
    argv: ['agent', '--model', 'large', '--prompt-file', '/run/s1/prompt.md'],
    env: { CADRE_PROGRAM: '["cadre"]' },
    files: [{ path: '/run/s1/prompt.md', text: PROMPT }],
    prompt: 'file',
  });
});
