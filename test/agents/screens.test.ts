// Screens of agent programs, each in a file named after what it shows, with details after "--".
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KNOWN_AGENTS } from '../../src/agents/registry.ts';

const FOLDER = 'test/fixtures/screens';

const screens = KNOWN_AGENTS.flatMap((agent) =>
  readdirSync(`${FOLDER}/${agent.name}`).map((file) => ({
    agent,
    screen: `${agent.name}/${file.slice(0, -'.txt'.length)}`,
    kind: file.slice(0, -'.txt'.length).split('--')[0],
    text: readFileSync(`${FOLDER}/${agent.name}/${file}`, 'utf8'),
  })),
);

test.each(screens)('$screen is read as $kind', ({ agent, kind, text }) => {
  expect(agent.readScreen(text).kind).toBe(kind);
});

test.each(screens)('$screen is read as $kind with blank lines below and carriage returns', ({ agent, kind, text }) => {
  expect(agent.readScreen(`${text.replaceAll('\n', '\r\n')}\n\n\n`).kind).toBe(kind);
});

test.each([
  ['claude/asks-permission', { question: 'Create file out.txt 1 hello Do you want to create out.txt?' }],
  [
    'claude/asks-permission--command',
    { question: 'Bash command npm install left-pad Add a package Do you want to proceed?' },
  ],
  [
    'claude/asks-permission--recorded-2.1.325',
    { question: expect.stringMatching(/^Bash command .* rm -rf \/home\/ada\/precious Do you want to proceed\?$/) },
  ],
  [
    'claude/asks-trust',
    { question: expect.stringContaining('/home/ada/.cadre/worktrees/search-t3 Quick safety check: ') },
  ],
  [
    'claude/asks-trust--recorded-2.1.325',
    {
      question: expect.stringMatching(/^Accessing workspace: \/home\/ada\/\S+ Quick safety check: .* Security guide$/),
    },
  ],
  ['claude/quota', { until: '3pm (Europe/Berlin)' }],
  ['claude/quota--question', { until: '3pm (Europe/Berlin)' }],
  ['claude/crashed', { message: 'Error: No conversation found to continue' }],
  [
    'codex/asks-permission',
    {
      question:
        'Would you like to run the following command? Reason: the registry is outside of the sandbox $ npm install left-pad',
    },
  ],
  ['codex/asks-trust', { question: 'Trust this folder? Codex can read, edit and run files in it.' }],
  ['codex/quota', { until: '3:05 PM' }],
  ['codex/crashed', { message: "thread 'main' panicked at tui/src/lib.rs:212:14:" }],
  ['opencode/asks-permission', { question: '△ Permission required # Add a package $ npm install left-pad' }],
  ['opencode/quota', { until: 'in 2h 10m' }],
  [
    'gemini/asks-permission',
    { question: "? Shell npm install left-pad (Add a package) npm install left-pad Allow execution of: 'npm'?" },
  ],
  ['gemini/asks-trust', { question: expect.stringContaining('Do you trust the files in this folder?') }],
  ['gemini/quota', { until: '4h12m' }],
  ['gemini/quota--question', { until: '3:05 PM PDT' }],
  ['aider/asks-permission', { question: 'Run shell command?' }],
  ['aider/quota', { until: '20s' }],
  ['aider/crashed', { message: 'ValueError: unknown model' }],
  ['scripted/asks-permission', { question: 'May I delete notes.txt?' }],
])('%s gives the question, the time of the reset or the error, %#', (screen, details) => {
  const found = screens.find((candidate) => candidate.screen === screen);
  expect(found?.agent.readScreen(found.text)).toMatchObject(details);
});

describe.each(KNOWN_AGENTS.map((agent) => [agent.name, agent] as const))('the screens of %s', (name, agent) => {
  const own = screens.filter((screen) => screen.agent === agent);

  test('include one that the conversation in another quotes', () => {
    if (name !== 'generic') expect(own.map(({ screen }) => screen)).toContain(`${name}/idle--quotes-everything`);
    expect(own.length).toBeGreaterThanOrEqual(3);
  });

  test('mean nothing once they have scrolled up above something else', () => {
    for (const { text } of own)
      expect(agent.readScreen(`${text}\nsome line that this program does not write\n`).kind).toBe('unreadable');
  });

  test('may contain anything: reading never fails, and the result is safe to show', () => {
    const pieces = fc.constantFrom(
      ...new Set(own.flatMap(({ text }) => text.split('\n'))),
      '❯ 1. Yes',
      '  2. No',
      '> ',
    );
    const garbage = fc.string({ unit: 'binary', maxLength: 80 });
    const anyScreen = fc.array(fc.oneof({ weight: 4, arbitrary: pieces }, garbage), { maxLength: 30 });
    fc.assert(
      fc.property(anyScreen, (lines) => {
        const reading = agent.readScreen(lines.join('\n'));
        for (const value of Object.values(reading)) expect(value ?? '').not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);

  test('are read in linear time', () => {
    const hostile = ['~', '─', ' ', '> ', '■', '(', '1. ', '  ⎿  '].map((part) => part.repeat(200_000));
    for (const line of hostile) expect(agent.readScreen(line).kind).toBeTypeOf('string');
  });
});
