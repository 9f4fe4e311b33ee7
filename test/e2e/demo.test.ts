// cadre demo as a person runs it: it shows what it promises, in both hosts, and leaves nothing behind however it ends.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { repoName } from '../../src/adapters/repo/repo.ts';
import { CHAOS_CLAIMS } from '../../src/surfaces/cli/demo/chaos-claims.ts';
import { CLAIMS } from '../../src/surfaces/cli/demo/claims.ts';
import { BRIEF_CLAIMS } from '../../src/surfaces/cli/demo/from-brief.ts';
import { livePids, textOf } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { temporaryFolder } from '../support/pieces.ts';
import { MAIN } from '../support/repo.ts';

/** It takes well under a minute; more on a machine that runs all other tests too. */
const TIME_LIMIT = 170_000;

describe('the demo', () => {
  test('without terminals shows everything it promises, and leaves nothing', { timeout: TIME_LIMIT }, async () => {
    const demo = startDemo('--host', 'process');
    const { code, output } = await demo.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('It took ')]);
    for (const { claim } of CLAIMS) expect(output).toContain(`ok      ${claim}`);
    for (const explained of EXPLAINED) expect(output).toMatch(explained);
    expect(demo.left()).toEqual({ files: [], sockets: [], processes: [] });
  });

  needing('tmux', () => {
    test('in tmux with --keep leaves its repository, and nothing that runs', {
      timeout: TIME_LIMIT,
    }, async () => {
      const demo = startDemo('--host', 'tmux', '--keep', '--json');
      const { code, output } = await demo.ended;
      const answer = JSON.parse(output);
      expect([code, answer]).toEqual([
        0,
        {
          version: 1,
          claims: CLAIMS.map(({ claim }) => ({ claim, holds: true })),
          seconds: expect.any(Number),
          folder: expect.stringContaining('/cadre-demo-'),
        },
      ]);
      const files = [expect.stringContaining('cadre-demo-')];
      expect(demo.left()).toEqual({ files, sockets: [], processes: [] });
      const git = spawnSync('git', ['log', '--format=%an: %s', 'main..plan/measures'], {
        cwd: join(answer.folder, 'repository'),
        encoding: 'utf8',
      });
      expect(git.stdout.trim().split('\n').sort()).toEqual([
        'cadre demo: Count sentences',
        'cadre demo: Count words',
        'cadre demo: Estimate the reading time',
        'cadre demo: Find the longest word',
        'cadre demo: List the measures',
      ]);
    });

    test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
      'stopped by %s, twice, says so and leaves nothing',
      { timeout: TIME_LIMIT },
      async (signal) => {
        const demo = startDemo('--host', 'tmux');
        await demo.line(/implementer started/);
        demo.process.kill(signal);
        demo.process.kill(signal);
        const { code, output } = await demo.ended;
        expect([code, output]).toEqual([
          1,
          expect.stringMatching(/The demo was stopped before the plan was done\.\n$/),
        ]);
        expect(demo.left()).toEqual({ files: [], sockets: [], processes: [] });
      },
    );
  });

  test('from a brief works a plan out, builds it, and leaves nothing', { timeout: TIME_LIMIT }, async () => {
    const demo = startDemo('--from-brief', '--host', 'process');
    const { code, output } = await demo.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('It took ')]);
    for (const { claim } of BRIEF_CLAIMS) expect(output).toContain(`ok      ${claim}`);
    expect(demo.left()).toEqual({ files: [], sockets: [], processes: [] });
  });

  test('whose reader leaves early fails, and leaves nothing', { timeout: TIME_LIMIT }, async () => {
    const demo = startDemo('--host', 'process');
    await demo.line(/implementer started/);
    demo.process.stdout?.destroy();
    expect((await demo.ended).code).toBe(1);
    expect(demo.left()).toEqual({ files: [], sockets: [], processes: [] });
  });
});

/** Demos with kills, one after the other. */
const CHAOS_DEMOS = Number(process.env.CADRE_CHAOS_DEMOS ?? 1);

for (let demo = 1; demo <= CHAOS_DEMOS; demo++)
  test(`in which programs are killed again and again builds the same, and leaves nothing (${demo})`, {
    timeout: 2 * TIME_LIMIT,
  }, async () => {
    const host = demo % 2 === 1 ? 'process' : 'tmux';
    const chaos = startDemo('--chaos', '--json', '--keep', '--host', host);
    const { code, output } = await chaos.ended;
    expect([code, output]).toEqual([0, expect.stringContaining('"claims"')]);
    const { claims, kills } = JSON.parse(output);
    expect(claims).toEqual(CHAOS_CLAIMS.map(({ claim }) => ({ claim, holds: true })));
    expect(kills).toBeGreaterThanOrEqual(10);
    expect(chaos.left()).toEqual({ files: [expect.stringContaining('cadre-demo-')], sockets: [], processes: [] });
  });

test.each([
  [['--host', 'screen'], '--host must be tmux or process, not "screen".\n'],
  [['--chaos', '--seed', 'x'], '--seed must be a whole number, not "x".\n'],
])('options that make no sense are refused: %s', (options, sentence) => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'demo', ...options], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, sentence]);
});

/** What the demo explains between the steps. */
const EXPLAINED: readonly RegExp[] = [
  /^Phase 1: Counting$/m,
  /^Phase 2: More measures \(in parallel\)$/m,
  /"several spaces count as one" failed\./,
  /Tasks 3 and 4 both changed src\/measures\.js/,
  /\| "review-approved" is not for the implementer \(session s\d+\) to say about measures\.md#5\.$/m,
  /^ {3}q\d+ .* user-only {2}"approve" is a person's decision; the implementer/m,
  /^ {3}q\d+ .* role +"review-approved" is not for the implementer/m,
  /^ {3}# pass 8$|^ {3}ℹ pass 8$/m,
];

interface Demo {
  readonly process: ChildProcess;
  /** Resolves when a line of its output matches. */
  line(matches: RegExp): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** What is left of it: files in its temporary folder, tmux sockets, and processes started from there. */
  left(): {
    readonly files: readonly string[];
    readonly sockets: readonly string[];
    readonly processes: readonly number[];
  };
}

function startDemo(...options: readonly string[]): Demo {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [MAIN, 'demo', ...options], {
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, TZ: 'UTC' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of waiting) look();
    });
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.once('close', (code) => done({ code, output })),
  );
  return {
    process: child,
    ended,
    line: (matches) =>
      new Promise((found, failed) => {
        const look = (): void => void (matches.test(output) && found());
        waiting.add(look);
        look();
        ended.then(() => failed(new Error(`The demo ended without ${matches}:\n${output}`)));
      }),
    left: () => ({
      files: readdirSync(folder),
      sockets: socketsOf(output),
      processes: livePids().filter((pid) => textOf(`/proc/${pid}/environ`).includes(folder)),
    }),
  };
}

/** The tmux socket of the repository that the output names. */
function socketsOf(output: string): readonly string[] {
  const [folder = ''] = /\/\S*\/cadre-demo-\w+/.exec(output) ?? [];
  expect(folder).not.toBe('');
  const server = `cadre-${repoName(join(folder, 'repository')).slice(-12)}`;
  const sockets = `/tmp/tmux-${process.getuid?.()}`;
  return existsSync(sockets) ? readdirSync(sockets).filter((name) => name === server) : [];
}
