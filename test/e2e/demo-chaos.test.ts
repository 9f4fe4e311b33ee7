// cadre demo --chaos: everything is killed again and again, the result is that of an undisturbed build, and nothing is left.
import { expect, test } from 'vitest';
import { CHAOS_CLAIMS } from '../../src/surfaces/cli/demo/chaos-claims.ts';
import { DEMO_TIME_LIMIT, startDemo } from '../support/demos.ts';

/** Demos with kills, one after the other. */
const CHAOS_DEMOS = Number(process.env.CADRE_CHAOS_DEMOS ?? 1);

for (let demo = 1; demo <= CHAOS_DEMOS; demo++)
  test(`in which programs are killed again and again builds the same, and leaves nothing (${demo})`, {
    timeout: 2 * DEMO_TIME_LIMIT,
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
