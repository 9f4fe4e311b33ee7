// The wall around agents: its arguments as a list, and what a hostile agent reaches behind it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { theSystem } from '../../../src/adapters/system/wall.ts';
import { agentWallArguments } from '../../../src/adapters/walls/agent-wall.ts';
import { SANDBOX } from '../../../src/core/settings/sandbox.ts';
import { AGENT_ATTEMPTS } from '../../support/agent-wall-attempts.ts';
import { agentWallBench } from '../../support/agent-wall-bench.ts';
import { needing } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/pieces.ts';

test('the arguments name everything that exists behind the wall of an agent', () => {
  const home = temporaryFolder();
  const at = (...names: readonly string[]): string => join(home, ...names);
  for (const folder of ['w', 'bin', '.claude', 'cadre/dist']) mkdirSync(at(folder), { recursive: true });
  for (const file of ['w/.git', 'bin/agent', 'cadre/dist/main.js']) writeFileSync(at(file), '');
  const argv = agentWallArguments({
    worktree: at('w'),
    gitFolder: '/repo/.git',
    privateGit: '/state/private/s1/git',
    speaking: '/state/speaking/s1',
    reads: ['/state/messages'],
    program: 'agent',
    cadre: ['/usr/bin/node', at('cadre/dist/main.js')],
    own: ['.claude', '.missing'],
    env: { HOME: home, PATH: `${at('bin')}:/usr/bin` },
    sandbox: { ...SANDBOX, network: 'none', read: ['~/more'], write: ['/cache'] },
  });
  const { folders, links } = theSystem();
  const end = argv.slice(argv.lastIndexOf('--perms'));
  expect(argv[0]).toBe('bwrap');
  expect(argv).toContain('--unshare-net');
  expect(argv.filter((word) => word === '--symlink')).toHaveLength(links.length);
  expect(argv.join(' ')).toContain(folders.map((path) => `--ro-bind ${path} ${path}`).join(' '));
  expect(end).toEqual([
    ...['--perms', '0700', '--tmpfs', home],
    ...['--ro-bind', at('bin'), at('bin'), '--ro-bind', at('cadre/dist'), at('cadre/dist')],
    ...['--ro-bind', '/state/messages', '/state/messages', '--ro-bind', at('more'), at('more')],
    ...['--bind', at('w'), at('w'), '--bind', at('.claude'), at('.claude'), '--bind', '/cache', '/cache'],
    ...['--bind', '/state/private/s1/git', '/repo/.git', '--ro-bind', '/repo/.git/objects', '/run/cadre/objects'],
    ...['--ro-bind', '/state/private/s1/git/objects/info', '/repo/.git/objects/info'],
    ...['--ro-bind', '/state/speaking/s1', '/run/cadre/socket'],
    ...['--ro-bind', at('w/.git'), at('w/.git')],
    ...['--setenv', 'TMPDIR', '/tmp', '--chdir', at('w'), '--'],
  ]);
});

test('docs/safety.md has the table of what an agent can do behind its wall', () => {
  const rows = AGENT_ATTEMPTS.map(({ what, answer }) => `| ${what} | ${answer} |`);
  expect(readFileSync('docs/safety.md', 'utf8')).toContain(rows.join('\n'));
});

/** By attempt. What succeeds in private succeeds. */
const EXPECTED = Object.fromEntries(
  AGENT_ATTEMPTS.map(({ what, answer }) => [what, answer === 'no' ? 'no' : 'yes'] as const),
);

needing('bubblewrap', () => {
  describe('an agent behind its wall', () => {
    test('can do what the table allows, and nothing else', async () => {
      const bench = await agentWallBench();
      const before = bench.snapshot();
      expect(AGENT_ATTEMPTS.length).toBeGreaterThanOrEqual(40);
      expect(bench.probe(AGENT_ATTEMPTS)).toEqual(EXPECTED);
      expect(bench.snapshot()).toEqual(before);
    });

    needing('root', () => {
      test('of an ordinary user can do the same', async () => {
        const bench = await agentWallBench();
        const before = bench.snapshot();
        spawnSync('chown', ['-R', '65534:65534', bench.base]);
        const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--no-new-privs'];
        expect(bench.probe(AGENT_ATTEMPTS, nobody)).toEqual(EXPECTED);
        spawnSync('chown', ['-R', '0:0', bench.base]);
        expect(bench.snapshot()).toEqual(before);
      });
    });
  });
});
