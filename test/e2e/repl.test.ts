// The prompt of `cadre repl`, with piped lines and at a terminal.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killServer, tmux } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { planRepo } from '../support/plan-runs.ts';
import { eventually, MAIN, type Repo, temporaryRepo } from '../support/repo.ts';

function typed(repo: Repo, ...lines: readonly string[]) {
  return repo.cadreWith({ input: lines.join('\n') }, 'repl');
}

test('runs one command per line, and answers with the code of the first that failed', () => {
  const repo = temporaryRepo();
  repo.writePlan('search.md');
  const { code, stdout, stderr } = typed(repo, '/register search', '# a comment', '', 'staus', 'why nosuch', 'status');
  expect(code).toBe(2);
  expect(stdout).toContain('search.md is ready');
  expect(stdout).toMatch(/search\.md +ready/);
  expect(stderr).toContain('Unknown command "staus". Did you mean "status"?');
  expect(stderr).toContain('Plan "nosuch" is not registered.');
  expect(typed(repo, 'status', '/why search').code).toBe(0);
});

test('reads nothing behind "quit"', () => {
  const repo = temporaryRepo();
  const { code, stdout } = typed(repo, '/quit', 'nonsense');
  expect([code, stdout]).toEqual([0, '']);
});

test('answers in JSON throughout with --json', () => {
  const repo = temporaryRepo();
  const { stdout } = repo.cadreWith({ input: 'status\nstaus\nhelp\n' }, 'repl', '--json');
  const [status, mistake, help, ...others] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(others).toEqual([]);
  expect(status.plans).toEqual([]);
  expect(mistake.error.message).toContain('Did you mean "status"?');
  expect(help.help.join('\n')).toContain('/redo planning');
});

test('keeps working where a command has no repository to work in', () => {
  const repo = temporaryRepo();
  const { code, stdout, stderr } = repo.cadreWith({ input: 'status\nhelp\n', cwd: '/' }, 'repl');
  expect(code).not.toBe(0);
  expect(stderr).not.toContain('bug');
  expect(stdout).toContain('/plan [brief]');
});

test('leaves standard input to the prompt', () => {
  const repo = temporaryRepo();
  const { code, stderr } = typed(repo, 'plan new -', 'status');
  expect(code).toBe(2);
  expect(stderr).toContain('Standard input belongs to the prompt.');
});

const ASKING = `Search notes by word.

\`\`\`script
role planner
turn 1
round
| {"summary":"One decision is open.","questions":[{"id":"scope","text":"Which notes?","blocking":true,"why":"It decides the index.","suggestions":["all"]}],"proposals":{"tasks":[],"assumptions":[],"risks":[],"acceptance_criteria":[],"files":[]},"ready":false}
turn 2
hang
\`\`\`
`;

test('takes a plan from the brief to its answers without naming it', async () => {
  const repo = planRepo();
  writeFileSync(join(repo.root, 'brief.md'), ASKING);
  const asked = typed(repo, 'plan --brief-file brief.md --name search', '/questions', '/why');
  expect(asked.code).toBe(3);
  expect(asked.stdout).toContain('Which notes?');
  const answered = typed(repo, "/answer All of them, don't ask again", '/transcript', '/questions');
  expect(answered.code).toBe(0);
  expect(answered.stdout).toContain("    All of them, don't ask again");
  expect(answered.stdout).toContain('No open questions.');
  expect(typed(repo, '/redo planning --feedback "smaller"').stdout).toContain('search.md: ');
  const [plan] = repo.world().plans.values();
  expect(plan?.workshop?.transcript.filter(({ kind }) => kind === 'feedback')).toHaveLength(1);
  await repo.killEngine();
});

needing('tmux', () => {
  test('at a terminal, completes and remembers what is typed, and survives mistakes and Ctrl-C', async () => {
    const repo = temporaryRepo();
    repo.writePlan('search.md');
    repo.cadre('register', 'search');
    const server = `cadre-repl-${process.pid}`;
    onTestFinished(() => killServer(server));
    const { PATH, HOME, CADRE_HOME } = repo.env;
    const env = [`PATH=${PATH}`, `HOME=${HOME}`, `CADRE_HOME=${CADRE_HOME}`];
    const command = ['env', ...env, process.execPath, MAIN, 'repl'];
    spawnSync('tmux', ['-L', server, '-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '30', ...command], {
      cwd: repo.root,
    });
    const shows = (text: string): Promise<string> =>
      eventually(
        () => tmux(server, 'capture-pane', '-p'),
        (screen) => screen.includes(text),
      );
    const type = (...keys: readonly string[]): string => tmux(server, 'send-keys', ...keys);
    await shows('cadre>');
    type('/why sea', 'Tab');
    await shows('cadre> /why search');
    type('Enter');
    await shows('search.md is ready since');
    type('staus', 'Enter');
    await shows('Did you mean "status"?');
    type('half a line', 'C-c');
    await shows('half a line^C');
    type('log --follow', 'Enter');
    await shows('#1');
    type('C-c');
    await eventually(
      () => tmux(server, 'capture-pane', '-p').trimEnd(),
      (screen) => screen.endsWith('\ncadre>'),
    );
    type('Up', 'Up', 'Up');
    await eventually(
      () => tmux(server, 'capture-pane', '-p').trimEnd(),
      (screen) => screen.endsWith('\ncadre> /why search'),
    );
    type('C-c', 'C-d');
    await eventually(
      () => spawnSync('tmux', ['-N', '-L', server, 'list-sessions']).status,
      (status) => status !== 0,
    );
    expect(readFileSync(join(repo.home, 'repl-history'), 'utf8')).toBe('/why search\nstaus\nlog --follow\n');
  });
});
