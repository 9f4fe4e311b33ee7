// The setup and verify commands run what agents have written. Behind a wall they cannot act as the person.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { implementing, PLAN, planRepo, tasksOf } from '../support/plan-runs.ts';
import { MAIN } from '../support/repo.ts';

/** A test that the agent wrote: a detached process cancels the plan, and looks for what is the person's. */
const HOSTILE = [
  'cat "$HOME/private.txt"',
  `cd "$HOME/repo" 2>/dev/null; env -i PATH="$PATH" HOME="$HOME" CADRE_HOME="$CADRE_HOME" setsid -f sh -c '"$0" "$1" cancel ${PLAN} >>"$HOME/cancelled" 2>&1' "${process.execPath}" "${MAIN}"`,
  'for _ in $(seq 100); do [ -s "$HOME/cancelled" ] && break; sleep 0.1; done',
  'cat "$HOME/cancelled"',
  'exit 0',
].join('\n');

const hostile = (sandbox: Readonly<Record<string, unknown>>) => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\n${implementing()}`]),
    files: { 'test.sh': `${HOSTILE}\n` },
    settings: { verify: 'sh test.sh' },
  });
  writeFileSync(repo.at('private.txt'), 'private\n');
  // The program itself can be read behind the wall, so that it is the wall that stops it.
  const read = [dirname(MAIN), join(dirname(MAIN), '..', 'node_modules'), dirname(dirname(process.execPath))];
  const configure = (part: Readonly<Record<string, unknown>>): void => {
    mkdirSync(repo.env.CADRE_HOME ?? '', { recursive: true });
    writeFileSync(join(repo.env.CADRE_HOME ?? '', 'config.json'), JSON.stringify({ sandbox: { read, ...part } }));
  };
  configure(sandbox);
  return { ...repo, configure };
};

test('without a wall a detached process of a test cancels the plan, as the documentation says', async () => {
  const repo = hostile({ commands: 'off' });
  void repo.run();
  await repo.until((world) => world.plans.get(PLAN)?.status === 'cancelled');
  expect(repo.records().find(({ event }) => event === 'cancel')).toMatchObject({ by: 'user' });
});

needing('bubblewrap', () => {
  test('behind the wall it reaches neither the plan nor the home folder, and the task is verified and merged', async () => {
    const repo = hostile({ commands: 'required' });
    await repo.built();
    expect(repo.records().some(({ event }) => event === 'cancel')).toBe(false);
    const folder = join(repo.state(), 'runs', 'build-it', 't1-a1');
    const output = readdirSync(folder).flatMap((name) => (name.endsWith('.log') ? [textOf(join(folder, name))] : []));
    expect(output.length).toBeGreaterThan(0);
    for (const text of output) {
      expect(text).toContain(`Plan "${PLAN}" is not registered.`);
      expect(text).toContain('private.txt: No such file');
    }
    const shown = 'setup and verify commands run behind a wall (bubblewrap)';
    expect(repo.cadre('log').stdout).toContain(shown);
    expect(repo.cadre('status').stdout).toContain(`Sandbox: ${shown}.`);
    expect(repo.cadre('doctor').stdout).toContain(shown);
  });
});

test('with "required" and without a wall nothing is built', async () => {
  const repo = hostile({ commands: 'required' });
  writeFileSync(
    join(repo.at('bin'), 'bwrap'),
    '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n',
    {
      mode: 0o755,
    },
  );
  const ran = await repo.run();
  expect(ran.code).not.toBe(0);
  expect(`${ran.stdout}${ran.stderr}`).toContain(
    'need a wall and there is none: bwrap: No permissions to create a new namespace',
  );
  expect(repo.records().some(({ event }) => event === 'run')).toBe(false);
  repo.configure({ commands: 'auto' });
  expect(repo.cadre('doctor').stdout).toContain('run without a wall: bwrap: No permissions to create a new namespace');
});
