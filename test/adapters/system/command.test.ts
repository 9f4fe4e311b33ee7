// Commands of the project as such; what a verification makes of them is in verifier.test.ts.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandRunner } from '../../../src/adapters/system/command.ts';
import { temporaryFolder } from '../../support/pieces.ts';

test('twenty commands that one signal can stop cause no warning of Node', async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const [folder, stop, run] = [temporaryFolder(), new AbortController(), commandRunner()];
  const one = (index: number) =>
    run({
      ...{ argv: ['sh', '-c', 'sleep 1000'], cwd: folder, env: process.env, given: {} },
      ...{ output: join(folder, `output-${index}`), patience: 60_000, stop: stop.signal },
    });
  const all = Array.from({ length: 20 }, (_, index) => one(index));
  // Node emits the warning in a later tick than the one that added the listeners.
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(Array(20).fill('stopped'));
  expect(warnings).toEqual([]);
});
