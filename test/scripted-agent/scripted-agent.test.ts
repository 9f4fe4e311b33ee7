// The language of the scripted agent, which section of a script applies, and what the agent does without a script.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TASK_PLAN_REVIEW_SIGNALS } from '../../src/agents/prompts/architect.ts';
import { FIX_SIGNALS, IMPLEMENT_SIGNALS, PLAN_TASK_SIGNALS } from '../../src/agents/prompts/implementer.ts';
import { promptText } from '../../src/agents/prompts/prompt.ts';
import { signalSection, type TurnSignals } from '../../src/agents/prompts/signalling.ts';
import { type AgentTurn, defaultCommands } from '../../src/scripted-agent/default-script.ts';
import {
  commandsFor,
  parseScript,
  SCRIPT_COMMANDS,
  type Script,
  type ScriptCommand,
  scriptIn,
} from '../../src/scripted-agent/script.ts';
import { findSignal, type Role, SIGNALS } from '../../src/signals/registry.ts';
import { named } from '../support/pieces.ts';

describe('a line', () => {
  test.each([
    ['say hello', ['say', 'hello']],
    ['  say   hello  world  ', ['say', 'hello world']],
    ['say "hello  world"', ['say', 'hello  world']],
    ["say don't", ['say', "don't"]],
    [`say 'it is "so" \\n'`, ['say', 'it is "so" \\n']],
    ['say "two\\nlines, \\"quoted\\", \\\\, \\e"', ['say', 'two\nlines, "quoted", \\, \x1b']],
    ['say it # as it is', ['say', 'it']],
    ['say "#1" no#comment', ['say', '#1 no#comment']],
    ['edit "a file.txt" some text', ['edit', 'a file.txt', 'some text']],
    ['edit a.txt ""', ['edit', 'a.txt', '']],
    ['signal implement-finished', ['signal', 'implement-finished']],
    ['signal review-changes more tests', ['signal', 'review-changes', 'more tests']],
    ['run cat "a b" c', ['run', 'cat', 'a b', 'c']],
    ['fork forever', ['fork', 'forever']],
    ['fork 20', ['fork', '20']],
    ['exit 255', ['exit', '255']],
    ['finish-lying', ['finish-lying']],
  ])('%s', (line, [name, ...words]) => {
    expect(all(line)).toEqual([{ name, words }]);
  });

  test.each([
    ['write a.js\n| one\n|\n|   "two" # too\nsay x', 'one\n\n  "two" # too\n'],
    ['  write a.js  # a file\n  | one\nsay x', 'one\n'],
    ['write a.js\n\n# what it does:\n| one\nsay x', 'one\n'],
    ['write a.js\nsay x', undefined],
  ])('%j writes the lines below it', (script, text) => {
    const words = text === undefined ? ['a.js'] : ['a.js', text];
    expect(all(script)).toEqual([
      { name: 'write', words },
      { name: 'say', words: ['x'] },
    ]);
  });

  test.each(['', '   ', '# say nothing', '\t# so'])('"%s" has no command', (line) => {
    expect(parseScript(line)).toEqual({ kind: 'script', script: [] });
  });
});

describe('a mistake is reported with its line, and rejects the whole script', () => {
  test.each([
    ['comit it', /^Line 2: unknown command "comit"; the commands are edit, write, add, append, .*, crash\.$/],
    ['toString', /^Line 2: unknown command "toString"/],
    ['Say it', /^Line 2: unknown command "Say"/],
    ['| one', /^Line 2: lines with "\|" must follow "write", "add" or "round"\.$/],
    ['|one', /^Line 2: unknown command "\|one"/],
    ['busy now', /^Line 2: "busy" takes no arguments\.$/],
    ['edit a.txt', /^Line 2: usage: "edit <path> <text>"\.$/],
    ['edit "" x', /^Line 2: "edit" needs a path, not ""\.$/],
    ['delete a b', /^Line 2: usage: "delete <path>"\.$/],
    ['signal', /^Line 2: usage: "signal <name> <optional text>"\.$/],
    ['sleep long', /^Line 2: "sleep" needs a whole number, not "long"\.$/],
    ['sleep -1', /^Line 2: "sleep" needs a whole number, not "-1"\.$/],
    ['exit 256', /^Line 2: "exit" needs a number from 0 to 255, not "256"\.$/],
    ['fork always', /^Line 2: "fork" needs a number of milliseconds or "forever", not "always"\.$/],
    ['run', /^Line 2: usage: "run <program and its arguments>"\.$/],
    ['role boss', /^Line 2: "role" must be one of planner, architect, .*, reviewer, not "boss"\.$/],
    ['role outside', /^Line 2: "role" must be one of/],
    ['role', /^Line 2: "role" must be one of .*, not ""\.$/],
    ['attempt 0', /^Line 2: "attempt" must be a positive integer, not "0"\.$/],
    ['say "open', /^Line 2: a quote is not closed, or a character follows it directly, at "\\"open"\.$/],
    ['say "a"b', /^Line 2: a quote is not closed, or a character follows it directly/],
    ['say "\\q"', /^Line 2: "\\q" is not an escape sequence; write "\\\\" for a backslash\.$/],
    ['\x1b[2J', /^Line 2: unknown command "\\u\{1b\}\[2J"/],
  ])('%s', (line, sentence) => {
    const parsed = parseScript(`say first\n${line}\nsay last`);
    expect(parsed).toEqual({ kind: 'mistake', sentence: expect.stringMatching(sentence) });
  });

  test('any text is a script or gives one sentence', () => {
    const pieces = fc.constantFrom(
      ...Object.keys(SCRIPT_COMMANDS),
      'role',
      'attempt',
      'reviewer',
      '1',
      '"',
      "'",
      '\\',
      ' ',
      '\n',
      '#',
      'é',
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (text) => {
          const parsed = parseScript(text);
          if (parsed.kind === 'mistake') expect(parsed.sentence).toMatch(/^Line \d+: [^\n]+\.$/);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('sections', () => {
  const SCRIPT = scriptOf(`
    say everyone
    role implementer
      say builds
    attempt 3
      say gives up
    role reviewer
    attempt 2
      say late
  `);

  test.each([
    ['implementer', 1, ['everyone'], ['builds']],
    ['implementer', 2, ['everyone'], ['builds']],
    ['implementer', 3, ['everyone'], ['gives up']],
    ['implementer', 9, ['everyone'], ['gives up']],
    ['reviewer', 2, ['everyone'], ['late']],
    ['reviewer', 1, ['everyone'], undefined],
    ['planner', 1, ['everyone'], undefined],
    [undefined, 1, ['everyone'], []],
  ] as const)('%s, attempt %s: %s, then %s', (role, attempt, before, own) => {
    const chosen = commandsFor(SCRIPT, role, { attempt, turn: 1 });
    expect([saidBy(chosen.before), chosen.own && saidBy(chosen.own)]).toEqual([before, own]);
  });

  test('a script without roles is for every role', () => {
    const script = scriptOf('say one\nattempt 2\nsay two');
    expect(commandsFor(script, 'planner', { attempt: 1, turn: 1 })).toEqual({ before: [], own: [say('one')] });
    expect(commandsFor(script, undefined, { attempt: 2, turn: 1 })).toEqual({ before: [], own: [say('two')] });
  });

  test('the section of a turn also applies when an agent that failed is started again', () => {
    const script = scriptOf('role planner\nsay a\nturn 2\nsay b');
    expect(commandsFor(script, 'planner', { attempt: 5, turn: 1 }).own).toEqual([say('a')]);
    expect(commandsFor(script, 'planner', { attempt: 5, turn: 2 }).own).toEqual([say('b')]);
  });

  test('two sections of the same role and attempt are one', () => {
    const script = scriptOf('role planner\nsay a\nrole reviewer\nsay b\nrole planner\nsay c');
    expect(commandsFor(script, 'planner', { attempt: 1, turn: 1 }).own).toEqual([say('a'), say('c')]);
  });

  test('with an empty script every role does its default work', () => {
    expect(commandsFor(scriptOf('# nothing'), 'planner', { attempt: 1, turn: 1 }).own).toBeUndefined();
  });
});

describe('a script inside a prompt', () => {
  test('is the first block marked "script", and mistakes have the line of the prompt', () => {
    const prompt = 'Build it.\n\n```sh\nmake\n```\n\n```script\nsay one\n```\n\n```script\nsay two\n```\n';
    expect(scriptIn(prompt)).toEqual({ kind: 'found', text: 'say one', firstLine: 8 });
    expect(parseScript('sya one', 8)).toMatchObject({ sentence: expect.stringMatching(/^Line 8: /) });
  });

  test('may be in a longer fence, and ends with a fence of the same length', () => {
    expect(scriptIn('````script\nsay ```\n```\nsay b\n````')).toMatchObject({ text: 'say ```\n```\nsay b' });
  });

  test.each(['Build it.', '> ```script\n> say one\n> ```', 'the ```script block', '```scripts\nsay one\n```'])(
    'is not in: %s',
    (prompt) => {
      expect(scriptIn(prompt)).toEqual({ kind: 'none' });
    },
  );

  test('is reported if it is not closed', () => {
    expect(scriptIn('```script\nsay one')).toEqual({ kind: 'open' });
  });
});

describe('without a script', () => {
  test.each([
    ['planner', 'planner-finished'],
    ['architect', 'answer'],
    ['implementer', 'implement-finished'],
    ['spec-reviewer', 'review-approved'],
    ['quality-reviewer', 'review-approved'],
    ['reviewer', 'review-approved'],
  ] as const)('a %s ends with %s, which it may send, with a body if it needs one', (role, signal) => {
    const last = defaultCommands(turn({ role }))?.at(-1);
    expect(last).toMatchObject({ name: 'signal', words: [signal, ...anyBody(signal)] });
    const { plan, run } = findSignal(signal) ?? {};
    expect([...(plan?.roles ?? []), ...(run?.roles ?? [])]).toContain(role);
  });

  test('an architect approves a proposal, and answers everything else', () => {
    const prompt = endOf(TASK_PLAN_REVIEW_SIGNALS, ['cadre']);
    expect(defaultCommands(turn({ role: 'architect', prompt }))).toEqual([
      { name: 'signal', words: ['review-approved'] },
    ]);
  });

  test('an implementer changes the file of its task and commits before it sends a signal', () => {
    expect(defaultCommands(turn({ role: 'implementer', task: '1.2', attempt: 2 }))).toEqual([
      { name: 'append', words: ['task-1.2.txt', 'Attempt 2 at task 1.2.'] },
      { name: 'commit', words: ['task 1.2: attempt 2'] },
      { name: 'signal', words: ['implement-finished'] },
    ]);
  });

  test('an implementer of a whole plan changes the file of the plan', () => {
    expect(defaultCommands(turn({ role: 'implementer', plan: 'docs/plans/search.md' }))?.[0]?.words[0]).toBe(
      'search.txt',
    );
  });

  test.each([
    [PLAN_TASK_SIGNALS, ['signal plan-submitted']],
    [IMPLEMENT_SIGNALS, ['append', 'commit', 'signal implement-finished']],
    [FIX_SIGNALS, ['append', 'commit', 'signal fix-finished']],
  ])('an implementer sends the signal that its prompt asks for: $signals', (signals, does) => {
    const prompt = `Do not write \`x signal fix-finished\`.\n\n${endOf(signals, ['node', '/a b/cadre'])}\n`;
    const commands = defaultCommands(turn({ role: 'implementer', prompt })) ?? [];
    expect(commands.map(({ name, words }) => (name === 'signal' ? `${name} ${words[0]}` : name))).toEqual(does);
  });

  test.each(['outside', 'unknown'] as const)('the role "%s" has no work', (role) => {
    expect(defaultCommands(turn({ role }))).toBeUndefined();
  });
});

function endOf(signals: TurnSignals, cadre: readonly string[]): string {
  return promptText({ opening: 'You are an agent.', sections: [signalSection(signals, named('x.md'), cadre)] });
}

function all(text: string): readonly ScriptCommand[] | undefined {
  return commandsFor(scriptOf(text), undefined, { attempt: 1, turn: 1 }).own;
}

function scriptOf(text: string): Script {
  const parsed = parseScript(text);
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  return parsed.script;
}

function say(text: string): ScriptCommand {
  return { name: 'say', words: [text] };
}

function saidBy(commands: readonly ScriptCommand[]): readonly (string | undefined)[] {
  return commands.map(({ words }) => words[0]);
}

function turn(given: Partial<AgentTurn> & { readonly role: Role }): AgentTurn {
  return { attempt: 1, plan: undefined, task: undefined, prompt: '', ...given };
}

function anyBody(signal: string): readonly unknown[] {
  const definition = SIGNALS.find(({ name }) => name === signal);
  return definition?.body === 'required' ? [expect.stringMatching(/\S/)] : [];
}
