// The wall around commands: its arguments as a list, and what a hostile command reaches behind it.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bubblewrapArguments } from '../../../src/adapters/system/bubblewrap.ts';
import { commandRunner } from '../../../src/adapters/system/command.ts';
import { toolFolders, wallInForce, wallsAround } from '../../../src/adapters/system/wall.ts';
import { SANDBOX, type SandboxSettings } from '../../../src/core/settings/sandbox.ts';
import { needing } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { TEMPLATE } from '../../support/repo.ts';
import { ATTEMPTS } from '../../support/wall-attempts.ts';

test('the arguments name everything that exists behind the wall', () => {
  const argv = bubblewrapArguments({
    home: '/home/me',
    cwd: '/home/me/.cadre/w',
    links: [{ path: '/bin', to: 'usr/bin' }],
    folders: ['/usr', '/etc'],
    secretFiles: ['/etc/shadow'],
    secretFolders: ['/etc/ssh'],
    read: ['/repo/.git'],
    write: ['/home/me/.cadre/w'],
    kept: ['/home/me/.cadre/w/.git'],
    network: 'none',
  });
  expect(argv).toEqual([
    'bwrap',
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc', '--symlink', 'usr/bin', '/bin'],
    ...['--ro-bind', '/dev/null', '/etc/shadow', '--perms', '0700', '--tmpfs', '/etc/ssh'],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp', '--tmpfs', '/run'],
    ...['--ro-bind', '/proc/sys', '/proc/sys', '--ro-bind-try', '/proc/sysrq-trigger', '/proc/sysrq-trigger'],
    ...['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
    ...['--perms', '0700', '--tmpfs', '/home/me'],
    ...['--ro-bind', '/repo/.git', '/repo/.git'],
    ...['--bind', '/home/me/.cadre/w', '/home/me/.cadre/w'],
    ...['--ro-bind', '/home/me/.cadre/w/.git', '/home/me/.cadre/w/.git'],
    ...['--setenv', 'TMPDIR', '/tmp', '--chdir', '/home/me/.cadre/w', '--'],
  ]);
});

test('tools in the home folder are reachable, and ~/.local and the home folder itself are not', () => {
  const home = temporaryFolder();
  for (const folder of ['nvm/v20/bin', '.local/bin', 'bin', '.pyenv/shims'])
    mkdirSync(join(home, folder), { recursive: true });
  const path = ['nvm/v20/bin', '.local/bin', 'bin', '.pyenv/shims', 'missing/bin'].map((one) => join(home, one));
  expect(toolFolders([...path, '/usr/bin'].join(delimiter), home)).toEqual(
    ['nvm/v20', '.local/bin', 'bin', '.pyenv/shims'].map((one) => join(home, one)),
  );
});

test('without bubblewrap "auto" says so and runs the command as it is, and "required" refuses to run anything', async () => {
  const env = { PATH: temporaryFolder() };
  for (const commands of ['auto', 'required'] as const)
    expect(wallInForce(commands, env)).toMatchObject({ wanted: commands, wall: null, why: /not installed|Linux/ });
  expect(wallInForce('off', env)).toBeUndefined();
  const around = (commands: SandboxSettings['commands']) =>
    wallsAround({ gitFolder: '/', env, settings: () => ({ ...SANDBOX, commands }) })('/');
  expect(await around('auto')).toEqual({ kind: 'open' });
  expect(await around('required')).toMatchObject({ kind: 'refused' });
});

test('docs/safety.md has the table of what a command can do behind the wall', () => {
  const rows = ATTEMPTS.map(({ what, answer }) => `| ${what} | ${answer} |`);
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(readFileSync('docs/safety.md', 'utf8')).toContain(rows.join('\n'));
});

needing('bubblewrap', () => {
  describe('a command behind the wall', () => {
    test('cannot do what the table denies', async () => {
      const bench = await wallBench();
      expect(await bench.probe([])).toEqual(expected());
      bench.expectUntouched();
    });

    test('could do most of it without the wall', async () => {
      const bench = await wallBench();
      const answers = bench.probeOpenly();
      expect(Object.keys(answers).length).toBeGreaterThanOrEqual(20);
      expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((what) => [what, 'yes'])));
    });

    test('has only its own loopback device without the network', async () => {
      const bench = await wallBench({ network: 'none' });
      const answers = await bench.probe([]);
      expect(answers['reach a server on this machine']).toBe('no');
    });

    test('leaves no process behind, also one in a new session', async () => {
      const bench = await wallBench();
      const mark = `left-${process.pid}`;
      const left = `setsid -f bash -c 'exec -a ${mark} sleep 1000'; until pgrep -f '^${mark}'; do :; done; echo started`;
      const ran = await bench.run(['bash', '-c', left]);
      expect(ran).toMatchObject({ kind: 'exited', exitCode: 0, tail: expect.stringContaining('started') });
      expect(spawnSync('pgrep', ['-f', `^${mark}`], { encoding: 'utf8' }).stdout).toBe('');
    });

    test('has its own exit status, and counts as killed if it was', async () => {
      const bench = await wallBench();
      expect(await bench.run(['sh', '-c', 'exit 3'])).toMatchObject({ kind: 'exited', exitCode: 3 });
      expect(await bench.run(['sh', '-c', 'kill -9 $$'])).toMatchObject({ kind: 'killed', signal: 'SIGKILL' });
    });

    test('is not started if its wall cannot be set up', async () => {
      const bench = await wallBench({ read: ['/there/is/nothing'] });
      const ran = await bench.run(['true']);
      expect(ran).toMatchObject({ kind: 'not-started', why: expect.stringContaining('/there/is/nothing') });
    });

    needing('root', () => {
      test('of an ordinary user cannot do what the table denies either', async () => {
        const bench = await wallBench();
        spawnSync('chown', ['-R', '65534:65534', bench.folder]);
        const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--no-new-privs'];
        expect(await bench.probe(nobody)).toEqual(expected());
        bench.expectUntouched();
      });
    });
  });
});

/** By attempt. What succeeds in private succeeds. */
function expected(): Record<string, 'yes' | 'no'> {
  return Object.fromEntries(ATTEMPTS.map(({ what, answer }) => [what, answer === 'no' ? 'no' : 'yes']));
}

/** What concerns only the bench, and what does not work anywhere or concerns the machine. */
const HARMLESS = /\$(?:HOME|STATE|CADRE_HOME|ROOT|OTHER|SOCKET|SECRET|MARK|GIT)/;
const HARMFUL = /unshare|chroot|\/proc\/1\/|objects|update-ref|GIT\/worktrees/;

interface WallBench {
  readonly folder: string;
  /** Tries everything, and returns what succeeded. `before`: words before those of the wall. */
  probe(before: readonly string[]): Promise<Record<string, string>>;
  /** Tries without the wall what the table denies and what harms only the bench. */
  probeOpenly(): Record<string, string>;
  run(argv: readonly string[]): ReturnType<ReturnType<typeof commandRunner>>;
  expectUntouched(): void;
}

/** A person's home folder, a repository with two worktrees, cadre's state, a server, a process and a tmux socket. */
async function wallBench(part: Partial<SandboxSettings> = {}): Promise<WallBench> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const at = (...names: readonly string[]): string => join(folder, ...names);
  const [home, root] = [at('home'), at('repo')];
  const cadreHome = join(home, '.cadre');
  const [state, mark] = [join(cadreHome, 'repos', 'x'), `${process.pid}-${folder.slice(-6)}`];
  const files: Readonly<Record<string, string>> = {
    'home/private.txt': 'private',
    'home/.ssh/id_ed25519': 'key',
    'home/.netrc': 'password',
    'home/.gitconfig': '[user]\n\tname = me\n\temail = me@localhost\n',
    'home/tools/bin/own-tool': '#!/bin/sh\nexit 0\n',
    'home/.cadre/config.json': '{}',
    'home/.cadre/repos/x/journal/1.jsonl': '{}',
    'home/.cadre/repos/x/inbox/s7/new/0.json': '{}',
    'home/.cadre/repos/x/sessions/s7/keys': 'digest',
    'repo/file.txt': 'text',
    'repo/docs/plans/.signals/.keep': '',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  chmodSync(at('home/tools/bin/own-tool'), 0o755);
  const git = (...argv: readonly string[]): void => {
    const ran = spawnSync('git', ['-C', root, '-c', 'user.name=me', '-c', 'user.email=me@localhost', ...argv]);
    if (ran.status !== 0) throw new Error(String(ran.stderr));
  };
  git('init', '--quiet', '-b', 'main', TEMPLATE, root);
  for (const message of ['one', 'two']) {
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', message);
  }
  const trees = join(state, 'worktrees');
  for (const name of ['own', 'other']) git('worktree', 'add', '--quiet', '-b', name, join(trees, name));
  const [own, other] = [join(trees, 'own'), join(trees, 'other')];
  const server: Server = createServer((socket) => socket.end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const socket = at('tmux-socket');
  const tmux = createServer();
  await new Promise<void>((listening) => tmux.listen(socket, listening));
  const outside = spawn('bash', ['-c', `exec -a outside-${mark} sleep 1000`]);
  onTestFinished(() => {
    outside.kill('SIGKILL');
    server.close();
    tmux.close();
  });
  const address = server.address();
  const env: NodeJS.ProcessEnv = {
    PATH: `${join(home, 'tools', 'bin')}:${process.env.PATH}`,
    HOME: home,
    CADRE_HOME: cadreHome,
    SECRET: 'token',
  };
  const given: Record<string, string> = {
    ...{ ROOT: root, GIT: join(root, '.git'), OTHER: other, STATE: state, MARK: mark, SOCKET: socket },
    ...{ PORT: String(typeof address === 'object' ? address?.port : '') },
  };
  const sandbox = { ...SANDBOX, commands: 'required', ...part } as const;
  const wallFor = wallsAround({ gitFolder: join(root, '.git'), env, settings: () => sandbox });
  const scriptOf = (attempts: typeof ATTEMPTS): string =>
    attempts
      .map(({ sh }, index) => `if (${sh}) >/dev/null 2>&1; then echo "${index} yes"; else echo "${index} no"; fi`)
      .join('\n');
  const tryAll = (words: readonly string[], attempts: typeof ATTEMPTS, around: NodeJS.ProcessEnv) => {
    const [program = '', ...argv] = [...words, 'bash', '-c', scriptOf(attempts)];
    const ran = spawnSync(program, argv, { cwd: own, env: { ...around, ...given }, encoding: 'utf8' });
    const answers = ran.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    if (answers.length !== attempts.length) throw new Error(`${ran.stdout}\n${ran.stderr}`);
    return Object.fromEntries(answers.map(([index, answer = '']) => [attempts[Number(index)]?.what ?? '', answer]));
  };
  const snapshot = (): readonly (readonly [string, string])[] =>
    Object.keys(files).map((name) => [name, readFileSync(at(name), 'utf8')] as const);
  const [before, hooks] = [snapshot(), readdirSync(join(root, '.git', 'hooks'))];
  return {
    folder,
    run: (argv) => commandRunner(wallFor)({ argv, cwd: own, env, given, output: at('output.log'), patience: 60_000 }),
    async probe(words) {
      const walled = await wallFor(own);
      if (walled.kind !== 'behind') throw new Error(`There is no wall: ${JSON.stringify(walled)}`);
      const { SECRET: _secret, ...clean } = env;
      return tryAll([...words, ...walled.front], ATTEMPTS, clean);
    },
    probeOpenly: () =>
      tryAll(
        [],
        ATTEMPTS.filter(({ sh, answer }) => answer === 'no' && HARMLESS.test(sh) && !HARMFUL.test(sh)),
        env,
      ),
    expectUntouched() {
      expect(snapshot()).toEqual(before);
      expect(existsSync(join(home, 'probe'))).toBe(false);
      expect(existsSync(`/tmp/probe-${mark}`)).toBe(false);
      expect(readdirSync(join(other, 'docs', 'plans', '.signals'))).toEqual(['.keep']);
      expect(readdirSync(join(root, '.git', 'hooks'))).toEqual(hooks);
    },
  };
}
