// cadre demo as a person runs it: it shows what it promises, in both hosts, and leaves nothing behind however it ends.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLAIMS } from '../../src/surfaces/cli/demo/claims.ts';
import { BRIEF_CLAIMS } from '../../src/surfaces/cli/demo/from-brief.ts';
import { startDemo, DEMO_TIME_LIMIT as TIME_LIMIT } from '../support/demos.ts';
import { needing } from '../support/needs.ts';
import { MAIN } from '../support/repo.ts';

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
  /Minor findings start no round/,
  /another agent gets the work, with the profile "experienced"/,
  /The second review was about the fix alone/,
  /Tasks 3 and 4 both changed src\/measures\.js/,
  /\| "review-approved" is not a signal that the implementer \(session s\d+\) may send about measures\.md#5\.$/m,
  /^ {3}q\d+ .* user-only {2}"approve" is a person's decision; the implementer/m,
  /^ {3}q\d+ .* role +"review-approved" is not a signal that the implementer/m,
  /^ {3}# pass 8$|^ {3}ℹ pass 8$/m,
];
