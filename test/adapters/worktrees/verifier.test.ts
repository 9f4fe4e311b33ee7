// The verify command for real: its result, failures that say nothing about the work, and no process left running.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callerOf, enclosingSession } from '../../../src/adapters/signals/speaker.ts';
import { boundedOutput, KEPT_OUTPUT } from '../../../src/adapters/system/command.ts';
import type { VerifyOutcome, VerifyRequest } from '../../../src/core/ports/verifier.ts';
import { isLive, killIfThere, processesWith, textOf, written } from '../../support/hosts.ts';
import { failureOf, temporaryFolder } from '../../support/pieces.ts';
import { type BenchOptions, openBench, RUN, type RunBench, runBench, write } from '../../support/run-bench.ts';

/** A worktree that is set up, and a function that verifies in it. */
async function verifying(options: BenchOptions = {}) {
  const at = runBench(options);
  const made = await at.setUp();
  if (made.kind !== 'ready') throw new Error(made.why);
  onTestFinished(() => {
    for (const pid of processesWith(`CADRE_COMMAND_IN=${at.path}`)) killIfThere(pid);
  });
  const verify = (script: string, more: Partial<VerifyRequest> = {}): Promise<VerifyOutcome> =>
    at.verifier.verify({
      tree: RUN,
      portBase: made.portBase,
      name: 'verify-1',
      command: ['sh', '-c', script],
      patience: 60_000,
      ...more,
    });
  return { at, verify, portBase: made.portBase, output: () => textOf(at.verifier.outputOf(RUN, 'verify-1')) };
}

/** The process whose pid is in the file. */
const pidIn = (at: RunBench, file: string): number => Number(textOf(join(at.path, file)));

describe('a command', () => {
  test('that exits with 0 has passed, and its output is kept', async () => {
    const { at, verify, output } = await verifying();
    expect(await verify('pwd; echo to stderr >&2')).toEqual({ kind: 'passed' });
    expect(output().split('\n').toSorted()).toEqual(['', at.path, 'to stderr']);
  });

  test('that exits with another code has failed, with the end of its output as plain text', async () => {
    const { verify, output } = await verifying();
    const script = `for line in $(seq 100); do echo "line $line"; done; printf '\\033[31mred\\033[0m\\033]0;title\\007\\r\\nlast'; exit 7`;
    const answer = await verify(script);
    const lines = Array.from({ length: 58 }, (_, index) => `line ${index + 43}`);
    expect(answer).toEqual({ kind: 'failed', exitCode: 7, tail: [...lines, 'red', 'last'].join('\n') });
    expect(output()).toContain('line 1\n');
  });

  test.each<[string, Partial<VerifyRequest>, string]>([
    ['is not installed', { command: ['no-such-program'] }, '"no-such-program" is not installed.'],
    ['is not executable', { command: ['./tracked'] }, 'not executable'],
    ['needs a missing program', { command: ['sh', '-c', 'no-such-program'] }, 'exited with 127'],
    ['is killed', { command: ['sh', '-c', 'kill -9 $$'] }, 'SIGKILL'],
    ['takes too long', { command: ['sleep', '1000'], patience: 200 }, 'took longer than 0 s'],
    ['is stopped before it started', { command: ['sleep', '1000'], stop: AbortSignal.abort() }, 'It was stopped'],
  ])('that %s is an infrastructure failure', async (_what, more, says) => {
    const { verify } = await verifying();
    expect(await verify('', more)).toMatchObject({ kind: 'infrastructure', why: expect.stringContaining(says) });
  });

  test('without a worktree is an infrastructure failure', async () => {
    const { at, verify } = await verifying();
    rmSync(at.path, { recursive: true });
    expect(await verify('true')).toMatchObject({ kind: 'infrastructure', why: expect.stringContaining(at.path) });
  });

  test('is stopped when it is no longer wanted', async () => {
    const { at, verify } = await verifying();
    const wanted = new AbortController();
    const verified = verify('echo $$ > ignored; sleep 1000', { stop: wanted.signal });
    await written(join(at.path, 'ignored'));
    wanted.abort();
    expect(await verified).toMatchObject({ kind: 'infrastructure' });
    expect(isLive(pidIn(at, 'ignored'))).toBe(false);
  });

  test('gets its ports and the usual variables, but not cadre’s secrets', async () => {
    const { verify, output, portBase } = await verifying({
      env: { GITHUB_TOKEN: 'canary-1', DATABASE_URL: 'canary-2', LANG: 'C.UTF-8', CADRE_INBOX: 'canary-3' },
    });
    await verify('env');
    for (const entry of [`PORT=${portBase}`, `CADRE_PORT_BASE=${portBase}`, 'CI=true', 'LANG=C.UTF-8'])
      expect(output()).toContain(entry);
    expect(output()).not.toContain('canary');
  });

  // Agents write the tests, so a cadre that a test calls must not act in the name of the person.
  test('that calls cadre acts as an agent without rights', async () => {
    const { verify, output } = await verifying({ env: { CADRE_HOME: '/elsewhere/cadre' } });
    await verify('env');
    // The same CADRE_HOME, so the call is refused rather than accepted in another one.
    expect(output()).toContain('CADRE_HOME=/elsewhere/cadre\n');
    const env = Object.fromEntries(
      output()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(callerOf(enclosingSession(env, 0))).toEqual({ who: 'agent', role: 'unknown', session: 'command' });
  });
});

describe('nothing is left running', () => {
  const leavers: Readonly<Record<string, string>> = {
    'a child in the background': 'sleep 1000 & echo $! > ignored',
    'a child that ignores signals': `sh -c 'trap "" TERM HUP; echo $$ > ignored; while :; do sleep 1; done' & while [ ! -s ignored ]; do sleep 0.01; done`,
    'a child in its own session': `setsid sh -c 'echo $$ > ignored; exec sleep 1000' & while [ ! -s ignored ]; do sleep 0.01; done`,
    'a child that holds the output': `(echo $(exec sh -c 'echo $PPID') > ignored; exec sleep 1000) & while [ ! -s ignored ]; do sleep 0.01; done`,
  };

  test.each(Object.entries(leavers))('of %s, even if the command has passed', async (_what, script) => {
    const { at, verify } = await verifying();
    expect(await verify(script)).toEqual({ kind: 'passed' });
    expect([pidIn(at, 'ignored') > 0, isLive(pidIn(at, 'ignored'))]).toEqual([true, false]);
    expect(processesWith(`CADRE_COMMAND_IN=${at.path}`)).toEqual([]);
  });

  test('of a killed cadre’s command, when its worktree is verified again', async () => {
    const { at, verify } = await verifying();
    const first = verify('echo $$ > ignored; exec sleep 1000');
    await written(join(at.path, 'ignored'));
    const before = pidIn(at, 'ignored');
    const other = openBench(at.base);
    const again = { tree: RUN, portBase: 1, name: 'verify-2', command: ['true'], patience: 60_000 };
    expect(await other.verifier.verify(again)).toEqual({ kind: 'passed' });
    expect(isLive(before)).toBe(false);
    expect(await first).toMatchObject({ kind: 'infrastructure' });
  });
});

describe('output of any length', () => {
  test('is kept with its first and last part', () => {
    const path = join(temporaryFolder(), 'log');
    const output = boundedOutput(path);
    const [start, middle, end] = ['a', 'b', 'c'].map((letter) => Buffer.alloc(KEPT_OUTPUT, letter));
    output.take(start ?? Buffer.alloc(0));
    for (let time = 0; time < 10; time++) output.take(middle ?? Buffer.alloc(0));
    for (let at = 0; at < KEPT_OUTPUT - 5; at += 97) output.take((end ?? Buffer.alloc(0)).subarray(at, at + 97));
    output.take(Buffer.from('\nlast\n'));
    expect(output.close().endsWith('c\nlast')).toBe(true);
    const text = readFileSync(path, 'latin1');
    const [first = '', rest = ''] = text.split(/\n\[cadre left out \d+ bytes here\]\n/);
    expect([first, rest.length, rest.endsWith('ccc\nlast\n')]).toEqual(['a'.repeat(KEPT_OUTPUT), KEPT_OUTPUT, true]);
  });

  test.each([0, 1, KEPT_OUTPUT - 1, KEPT_OUTPUT, KEPT_OUTPUT + 1, 2 * KEPT_OUTPUT, 2 * KEPT_OUTPUT + 1])(
    'of %i bytes in pieces of any size is whole as long as both parts hold it',
    (length) => {
      for (const piece of [1_000, 65_537, length + 1]) {
        const path = join(temporaryFolder(), 'log');
        const output = boundedOutput(path);
        const bytes = Buffer.from(Array.from({ length }, (_, index) => 97 + (index % 26)));
        for (let at = 0; at < length; at += piece) output.take(bytes.subarray(at, at + piece));
        output.close();
        const [first = '', rest] = readFileSync(path, 'latin1').split(/\n\[cadre left out (?:\d+) bytes here\]\n/);
        const whole = bytes.toString('latin1');
        if (length <= 2 * KEPT_OUTPUT) expect([first === whole, rest]).toEqual([true, undefined]);
        else expect([first === whole.slice(0, KEPT_OUTPUT), rest === whole.slice(-KEPT_OUTPUT)]).toEqual([true, true]);
      }
    },
  );

  test('of a command that never stops writing does not fill the disk', async () => {
    const { verify, output } = await verifying();
    expect(await verify('head -c 50000000 /dev/zero | tr "\\0" x; echo; echo end; exit 1')).toMatchObject({
      kind: 'failed',
      tail: expect.stringMatching(/x\nend$/),
    });
    expect(output().length).toBeLessThan(2 * KEPT_OUTPUT + 100);
  });
});

describe('the command', () => {
  test('comes from the main checkout, never from a worktree', async () => {
    const { at } = await verifying();
    write(at.path, 'package.json', '{"scripts":{"test":"true"}}');
    const { kind, message } = await failureOf(() => at.verifier.command(undefined));
    expect({ kind, message }).toMatchObject({
      kind: 'environment',
      message: expect.stringContaining('Set "verify" in cadre.json'),
    });
    write(at.root, 'package.json', '{"scripts":{"test":"vitest"}}');
    expect(at.verifier.command(undefined)).toMatchObject({ kind: 'command', words: ['npm', 'test'] });
    expect(at.verifier.command('none')).toEqual({ kind: 'none' });
  });

  test('right after setup distinguishes a broken machine from broken work', async () => {
    const { at, verify } = await verifying();
    const baseline = await verify('test "$(cat tracked)" = one', { name: 'baseline' });
    write(at.path, 'tracked', 'two\n');
    const after = await verify('test "$(cat tracked)" = one');
    expect([baseline.kind, after.kind]).toEqual(['passed', 'failed']);
  });
});
