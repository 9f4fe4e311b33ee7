// What cadre adds to the work itself: a plan of trivial tasks, beside a bare script that makes the same worktrees, runs the
// same agents and merges the same commits, one task after the other and without looking at anything.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { milliseconds, ratioLimit } from './report.mjs';
import { buildByCadre, repoToBuild } from './scratch.mjs';

const TASKS = 20;
const MOST = 1.5;
const ROLES = ['implementer', 'spec-reviewer', 'quality-reviewer'];
const start = promisify(execFile);

/** How agents say that they have finished: with a file, which costs nothing, or with a program, which has to start. */
const WAYS = [
  { name: 'a file', says: (signal) => `sentinel ${signal}` },
  { name: 'cadre signal', says: (signal) => `signal ${signal}` },
];

export async function measureOverhead(scratch) {
  const measured = [];
  for (const way of WAYS) {
    const scripts = Array.from({ length: TASKS }, (_, task) => scriptFor(way, task));
    const repo = await repoToBuild(scratch, `overhead-${WAYS.indexOf(way)}`, scripts);
    await git(repo, 'branch', 'plan/bare');
    // The machine may be busier now than later: half of the bare work is done before, half of it after.
    const before = await timeOf(() => buildBare(repo, way, 0, TASKS / 2));
    const cadre = await timeOf(() => buildByCadre(scratch, repo));
    const after = await timeOf(() => buildBare(repo, way, TASKS / 2, TASKS));
    measured.push({ way, cadre, bare: before + after });
  }
  return report(measured);
}

async function timeOf(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function scriptFor(way, task) {
  return `role implementer
append made-${task}.txt made
commit made ${task}
${way.says('implement-finished')}
role spec-reviewer
${way.says('review-approved')}
role quality-reviewer
${way.says('review-approved')}`;
}

async function git({ root, env }, ...words) {
  return (await start('git', words, { cwd: root, env })).stdout.trim();
}

async function buildBare(repo, way, from, to) {
  for (let task = from; task < to; task++) await buildTask(repo, way, task);
}

/** What it takes at the least: a branch and its worktree, four programs, a merge without a checkout, and the worktree gone. */
async function buildTask(repo, way, task) {
  const tree = join(repo.base, 'bare', `t${task}`);
  await git(repo, 'worktree', 'add', '--quiet', '-b', `bare/t${task}`, tree, 'plan/bare');
  const script = join(repo.base, `script-${task}`);
  writeFileSync(script, scriptFor(way, task));
  for (const role of ROLES) {
    await runAgent(repo, tree, script, role);
    if (role === 'implementer') await start('true', [], { cwd: tree, env: repo.env });
  }
  const tip = await git(repo, 'rev-parse', 'plan/bare');
  const merged = await git(repo, 'merge-tree', '--write-tree', 'plan/bare', `bare/t${task}`);
  const commit = await git(repo, 'commit-tree', merged, '-p', tip, '-m', `Part ${task}`);
  await git(repo, 'update-ref', 'refs/heads/plan/bare', commit, tip);
  await git(repo, 'worktree', 'remove', '--force', tree);
}

/** Nobody listens to it, so what it says costs nothing here. */
async function runAgent({ programs, env }, tree, script, role) {
  const itsOwn = { CADRE_ROLE: role, CADRE_PLAN: 'bare.md', CADRE_TASK: '1', CADRE_PROGRAM: '["true"]' };
  await start(join(programs, 'cadre-scripted-agent'), ['--script', script], { cwd: tree, env: { ...env, ...itsOwn } });
}

function report(measured) {
  const ratioOf = ({ cadre, bare }) => cadre / bare;
  return {
    title: `overhead: a plan of ${TASKS} trivial tasks, one after the other, beside a bare script that does the same`,
    tables: [
      [
        ['agents speak by', 'cadre', 'bare', 'cadre a task', 'bare a task', 'ratio'],
        ...measured.map((one) => [
          one.way.name,
          milliseconds(one.cadre),
          milliseconds(one.bare),
          milliseconds(one.cadre / TASKS),
          milliseconds(one.bare / TASKS),
          `${ratioOf(one).toFixed(2)} x`,
        ]),
      ],
    ],
    notes: ['The bare script pays nothing for what its agents say; cadre signal is a program that starts.'],
    limits: measured.map((one) => ratioLimit(`overhead, spoken by ${one.way.name}`, ratioOf(one), MOST)),
  };
}
