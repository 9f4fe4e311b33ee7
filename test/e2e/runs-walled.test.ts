// A plan that is built by agents behind their walls: they work as without, and reach nothing else.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import {
  implementing,
  PLAN,
  PLAN_BRANCH,
  type PlanRepo,
  type PlanRepoOptions,
  planRepo,
  tasksOf,
} from '../support/plan-runs.ts';
import { eventually, MAIN } from '../support/repo.ts';

interface Walled extends PlanRepo {
  /** The content of a file in the folder that the agents may write. */
  exchange(name: string): string;
}

/** Agents may write in the folder `exchange` beside the repository; there are the scripts and what they find out. */
function walled({
  scripts = {},
  agents = 'required',
  ...options
}: PlanRepoOptions & {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly agents?: 'off' | 'required';
}): Walled {
  const repo = planRepo(options);
  const at = (name: string): string => join(repo.at('exchange'), name);
  mkdirSync(repo.at('exchange'));
  for (const [name, text] of Object.entries(scripts)) writeFileSync(at(name), `${text}\n`);
  mkdirSync(repo.home, { recursive: true });
  const sandbox = { agents, commands: agents, write: [repo.at('exchange')], read: [resolve('test/support')] };
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ sandbox }));
  return { ...repo, exchange: (name) => textOf(at(name)) };
}

/** What is left of private git folders. */
function privateFolders(repo: PlanRepo): readonly string[] {
  const all = readdirSync(join(repo.state(), 'runs'), { recursive: true }).map(String);
  return all.filter((name) => /\/private\/s\d+$/.test(name));
}

const EXCHANGE = '"$HOME/exchange"';
const CADRE = `"${process.execPath}" "${MAIN}"`;

needing('bubblewrap', () => {
  describe.each(['process', 'tmux'] as const)('behind walls, in the host %s', (host) => {
    test('a plan is built, reviewed and merged', async () => {
      const repo = walled({
        host,
        // Behind its own wall.
        settings: { verify: 'test -e one.txt' },
        plan: tasksOf([`role implementer\n${implementing('one.txt')}`, `role implementer\n${implementing('two.txt')}`]),
      });
      await repo.built();
      expect(repo.git('ls-tree', '--name-only', PLAN_BRANCH).split('\n')).toEqual(
        expect.arrayContaining(['one.txt', 'two.txt']),
      );
      const sessions = [...repo.world().sessions.values()];
      expect(sessions.length).toBeGreaterThanOrEqual(7);
      expect(sessions.map(({ wall }) => wall)).toEqual(
        sessions.map(() => ({ wanted: 'required', wall: 'bubblewrap' })),
      );
      expect(privateFolders(repo)).toEqual([]);
      const shown = 'agents run behind a wall (bubblewrap)';
      expect(repo.cadre('log').stdout).toContain(shown);
      expect(repo.cadre('why', `${PLAN}#1`).stdout).toContain('was started behind a wall (bubblewrap).');
      expect(repo.cadre('status').stdout).toContain(`${shown}.`);
      expect(repo.cadre('doctor').stdout).toContain(shown);
    });

    test('an agent whose engine is killed continues, and what it says is heard by the next one', async () => {
      const repo = walled({
        host,
        plan: tasksOf([
          `role implementer\nappend made.txt made\ncommit made\nrun sh -c 'touch ${EXCHANGE}/made'\nwait-for ../../../../../../exchange/go\nsignal implement-finished`,
        ]),
      });
      void repo.run();
      await repo.until(() => readdirSync(repo.at('exchange')).includes('made'));
      const before = repo.enginePid();
      await repo.killEngine();
      writeFileSync(join(repo.at('exchange'), 'go'), '');
      await repo.built();
      expect(repo.enginePid()).not.toBe(before);
      expect(repo.git('show', `${PLAN_BRANCH}:made.txt`)).toBe('made\n');
      expect([...repo.world().sessions.values()].filter(({ role }) => role === 'implementer')).toHaveLength(1);
    });
  });

  test('an agent sees its plan and its changes, and its tools work, while what is for people is refused', async () => {
    const repo = walled({
      plan: tasksOf([
        `role implementer\nappend made.txt made\ncommit made\nrun sh ${'../../../../../..'}/exchange/look.sh\nrun ${process.execPath} ${resolve('test/support/mcp-call.mjs')} ${MAIN} finished {}`,
      ]),
      scripts: {
        'look.sh': ['status', 'why', 'diff --stat', 'cancel build-it', 'log', 'diff other', 'config get sandbox']
          .map(
            (words) =>
              `${CADRE} ${words} >${EXCHANGE}/${words.replaceAll(' ', '-')} 2>&1; echo "code $?" >>${EXCHANGE}/${words.replaceAll(' ', '-')}`,
          )
          .join('\n'),
      },
    });
    await repo.built();
    expect(repo.exchange('status')).toMatch(/build-it[\s\S]*code 0/);
    expect(repo.exchange('why')).toMatch(/code 0/);
    expect(repo.exchange('diff---stat')).toMatch(/made\.txt[\s\S]*code 0/);
    for (const name of ['cancel-build-it', 'log', 'config-get-sandbox'])
      expect(repo.exchange(name)).toMatch(/cannot be run by the agent of a session behind a wall\.\ncode 2/);
    expect(repo.exchange('diff-other')).toMatch(/works on build-it\.md only\.\ncode 2/);
    expect(repo.records().find(({ signal }) => signal?.name === 'implement-finished')?.signal).toMatchObject({
      via: 'command',
    });
  });

  describe('an agent that wants to pass the reviews of another task', () => {
    /** Looks for keys in the environments of other processes, writes sentinels and messages, and says what it has found. */
    const ATTACK = `
      for environment in /proc/[0-9]*/environ; do
        tr '\\0' '\\n' <"$environment" 2>/dev/null | grep '^CADRE_PROOF=' | grep -v "=$CADRE_SESSION\\." >>${EXCHANGE}/keys
      done
      mkdir -p ../t1-a1/docs/plans/.signals
      for verdict in review-approved review-changes implement-finished; do
        echo mine >../t1-a1/docs/plans/.signals/$verdict-${PLAN}
      done
      for box in ../../../inbox/s*; do
        mkdir -p "$box/new"
        echo '{"v":1,"name":"review-approved"}' >"$box/new/1.json"
      done
      ls ../../../inbox >>${EXCHANGE}/boxes 2>&1
      touch ${EXCHANGE}/attacked`;
    const attacked = (agents: 'off' | 'required') =>
      walled({
        agents,
        plan: tasksOf(
          [
            `role implementer\n${implementing('one.txt')}\nrole spec-reviewer\nhang`,
            `role implementer\nwait-for ../../../../../../exchange/reviewed\nrun sh ../../../../../../exchange/attack.sh\nhang`,
          ],
          'parallel',
        ),
        settings: { max_parallel: 2 },
        scripts: { 'attack.sh': ATTACK },
      });
    const attack = async (repo: Walled): Promise<void> => {
      void repo.run();
      await repo.reaches('1', 'CODE_REVIEW', 'spec');
      await repo.until((world) => [...world.sessions.values()].some((one) => one.role === 'spec-reviewer' && one.up));
      writeFileSync(join(repo.at('exchange'), 'reviewed'), '');
      await repo.until(() => readdirSync(repo.at('exchange')).includes('attacked'));
    };

    test('finds the key of its reviewer without a wall, as the documentation says', async () => {
      const repo = attacked('off');
      await attack(repo);
      expect(repo.exchange('keys')).toMatch(/CADRE_PROOF=s\d+\./);
      expect(repo.exchange('boxes')).toMatch(/s\d+/);
    });

    test('behind its wall finds no key and no box, and reaches nobody', async () => {
      const repo = attacked('required');
      await attack(repo);
      expect(repo.exchange('keys')).toBe('');
      expect(repo.exchange('boxes')).not.toMatch(/^s\d+$/m);
      expect(repo.runOf('1')).toMatchObject({ state: 'CODE_REVIEW', stage: 'spec' });
      expect(repo.world().refused.size).toBe(0);
      const boxes = readdirSync(join(repo.state(), 'inbox'), { recursive: true }).map(String);
      expect(boxes.filter((name) => name.endsWith('.json'))).toEqual([]);
      expect(existsSync(join(repo.worktree('1'), 'docs', 'plans', '.signals', `review-approved-${PLAN}`))).toBe(false);
    });
  });

  describe('an agent that speaks as the person, from a detached process,', () => {
    const speaking = (agents: 'off' | 'required') =>
      walled({
        agents,
        plan: tasksOf([
          `role implementer\nrun sh ../../../../../../exchange/detach.sh\nwait-for ../../../../../../exchange/go\n${implementing()}`,
        ]),
        scripts: {
          'detach.sh': [
            `for more in 1 "CADRE_SOCKET=$CADRE_SOCKET"; do`,
            `  env -i PATH="$PATH" HOME="$HOME" CADRE_HOME="$HOME/home" $more setsid -f sh -c 'cd "$HOME/repo" 2>/dev/null; "$0" "$1" cancel ${PLAN} >>"$HOME/exchange/said" 2>&1; echo "code $?" >>"$HOME/exchange/said"' ${CADRE}`,
            'done',
          ]
            .join('\n')
            .replace('for more in 1', 'for more in ONE=1'),
        },
      });

    test('cancels its plan without a wall, as the documentation says', async () => {
      const repo = speaking('off');
      void repo.run();
      await repo.until((world) => world.plans.get(PLAN)?.status === 'cancelled');
      expect(repo.records().find(({ event }) => event === 'cancel')).toMatchObject({ by: 'user' });
    });

    test('is not heard behind its wall, and its plan is built', async () => {
      const repo = speaking('required');
      const built = repo.built();
      await eventually(
        () => repo.exchange('said').match(/code \d+/g)?.length,
        (count) => count === 2,
      );
      expect(repo.exchange('said')).toContain('cannot be run by the agent');
      expect(repo.exchange('said')).not.toContain('code 0');
      writeFileSync(join(repo.at('exchange'), 'go'), '');
      await built;
      expect(repo.records().some(({ event }) => event === 'cancel')).toBe(false);
    });
  });
});

test('with "required" and without a wall no agent is started, and "auto" says that there is none', async () => {
  const repo = walled({ plan: tasksOf([`role implementer\n${implementing()}`]) });
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ sandbox: { agents: 'required' } }));
  writeFileSync(join(repo.at('bin'), 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const ran = await repo.run();
  expect(ran.code).not.toBe(0);
  expect(`${ran.stdout}${ran.stderr}`).toContain(
    'agents do not run, because they need a wall and there is none: bwrap: No permissions',
  );
  expect(repo.records().some(({ event }) => event === 'session_begun')).toBe(false);
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ sandbox: { agents: 'auto' } }));
  expect(repo.cadre('doctor').stdout).toContain('agents run without a wall: bwrap: No permissions');
  await repo.built();
  expect([...repo.world().sessions.values()][0]?.wall).toMatchObject({ wanted: 'auto', wall: null });
  expect(repo.cadre('status').stdout).toContain('agents run without a wall: bwrap: No permissions');
});
