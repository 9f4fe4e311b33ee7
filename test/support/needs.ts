// Suites that need something the machine may lack: they report that they were not run, and fail in CI.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

export type Need = 'tmux' | 'root' | 'proc' | 'bubblewrap';

const PRESENT: Readonly<Record<Need, () => boolean>> = {
  tmux: () => spawnSync('tmux', ['-V']).status === 0,
  root: () => process.geteuid?.() === 0,
  bubblewrap: () => spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status === 0,
  proc: () => existsSync('/proc/self/io'),
};

/** Registers the suite, or a single test that reports "not run". */
export function needing(need: Need, suite: () => void): void {
  if (PRESENT[need]()) return suite();
  test(`not run: no ${need}`, () => {
    process.stdout.write(`not run: no ${need}\n`);
    expect(process.env.CI, `this suite needs ${need}, and CI must run every suite`).toBeUndefined();
  });
}
