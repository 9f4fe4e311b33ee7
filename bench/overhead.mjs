// What cadre adds to the work itself: a plan of trivial tasks, beside a bare script that takes the same steps of git and runs
// the same agents, one task after the other, and keeps no state, decides nothing and survives nothing.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { milliseconds, ratioLimit } from './report.mjs';
import { buildByCadre, repoToBuild, waitingSession } from './scratch.mjs';

const TASKS = 20;
const MOST = 1.5;
const start = promisify(execFile);

/**
 * How implementers say that they have finished: with a file, which costs nothing, or with a program, which has to start. A
 * reviewer's verdict is always a command.
 */
const WAYS = [
  { name: 'a file', says: (signal) => `sentinel ${signal}`, messages: 2 * TASKS },
  { name: 'cadre signal', says: (signal) => `signal ${signal}`, messages: 3 * TASKS },
];
const APPROVED = 'signal review-approved';

export async function measureOverhead(scratch) {
  const measured = [];
  for (const way of WAYS) {
    const number = WAYS.indexOf(way);
    const scripts = Array.from({ length: TASKS }, (_, task) => scriptFor(way, task));
    const repo = await repoToBuild(scratch, `overhead-${number}`, scripts);
    // What the bare agents say is said as that session's, in another repository, where nobody takes it.
    const speaker = await waitingSession(scratch, `spoken-${number}`);
    await git(repo, 'branch', 'plan/bare');
    const spent = { agents: 0 };
    // The machine may be busier now than later: half of the bare work is done before, half of it after.
    const before = await timeOf(() => buildBare(repo, speaker, way, 0, TASKS / 2, spent));
    const cadre = timeOfTasks(await buildByCadre(scratch, repo));
    const after = await timeOf(() => buildBare(repo, speaker, way, TASKS / 2, TASKS, spent));
    if (speaker.messages() !== way.messages) throw new Error(`The bare agents said ${speaker.messages()} things.`);
    measured.push({ way, cadre, bare: before + after, agents: spent.agents });
  }
  return report(measured);
}

async function timeOf(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** From the first task's launch until the plan has none left: its review and its landing are no task's. */
function timeOfTasks(records) {
  const began = records.find(({ event }) => event === 'launch');
  const ended = records.find(({ event }) => event === 'implement_finished');
  return Date.parse(ended.at) - Date.parse(began.at);
}

function scriptFor(way, task) {
  return `role implementer
append made-${task}.txt made
commit made ${task}
${way.says('implement-finished')}
role spec-reviewer
${APPROVED}
role quality-reviewer
${APPROVED}`;
}

async function git({ root, env }, ...words) {
  return (await start('git', words, { cwd: root, env })).stdout.trim();
}

async function buildBare(repo, speaker, way, from, to, spent) {
  for (let task = from; task < to; task++) await buildTask(repo, speaker, way, task, spent);
}

/** The steps of git that cadre takes for a task in which nothing goes wrong, in its order, each as one git. */
async function buildTask(repo, speaker, way, task, spent) {
  const [branch, tree] = [`bare/t${task}`, join(repo.base, 'bare', `t${task}`)];
  const inTree = { ...repo, root: tree };
  const status = (...more) => git(inTree, 'status', '--porcelain=v2', '-z', '--branch', ...more);
  const agent = async (speech) => {
    const began = performance.now();
    await runAgent(repo, speaker, tree, speech);
    spent.agents += performance.now() - began;
  };

  const tip = await git(repo, 'rev-parse', 'plan/bare');
  await updateRefs(repo, [`create refs/heads/${branch} ${tip}`, `create refs/bare/base/t${task} ${tip}`]);
  await git(repo, 'worktree', 'add', '--quiet', tree, branch);
  await agent(`append made-${task}.txt made\ncommit made ${task}\n${way.says('implement-finished')}`);
  const [pin] = await Promise.all([
    git(repo, 'rev-parse', branch),
    status(),
    git(repo, 'rev-list', '--count', `${tip}..${branch}`),
  ]);
  await start('true', [], { cwd: tree, env: repo.env });
  for (let reviews = 0; reviews < 2; reviews++) {
    await agent('signal implement-finished');
    await status();
  }
  const merged = await git(repo, 'merge-tree', '--write-tree', tip, pin);
  const commit = await git(repo, 'commit-tree', merged, '-p', tip, '-m', `Part ${task}`);
  await git(repo, 'worktree', 'list', '--porcelain', '-z');
  await git(repo, 'update-ref', 'refs/heads/plan/bare', commit, tip);
  await status('--ignored=matching');
  await git(inTree, 'ls-files', '-v', '-z');
  await git(repo, 'update-ref', `refs/bare/keep/t${task}`, pin);
  await git(repo, 'worktree', 'remove', '--force', tree);
}

async function updateRefs({ root, env }, lines) {
  const child = spawn('git', ['update-ref', '--stdin'], { cwd: root, env, stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(`${lines.join('\n')}\n`);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`git update-ref ended with ${code}.`);
}

async function runAgent({ base, programs, env }, speaker, tree, speech) {
  const script = join(base, 'script');
  writeFileSync(script, speech);
  const its = { cwd: tree, env: { ...env, ...speaker.env } };
  await start(join(programs, 'cadre-scripted-agent'), ['--script', script], its);
}

function report(measured) {
  const ratioOf = ({ cadre, bare }) => cadre / bare;
  const each = (time) => milliseconds(time / TASKS);
  return {
    title: `overhead: a plan of ${TASKS} trivial tasks, one after the other, beside a bare script that takes the same steps`,
    tables: [
      [
        ['a task, spoken by', 'cadre', 'bare', 'beyond agents: cadre', 'bare', 'ratio of all'],
        ...measured.map((one) => [
          one.way.name,
          each(one.cadre),
          each(one.bare),
          each(one.cadre - one.agents),
          each(one.bare - one.agents),
          `${ratioOf(one).toFixed(2)} x`,
        ]),
      ],
    ],
    notes: ['What the agents take is measured in the bare script: there nothing else happens while they run.'],
    limits: measured.map((one) => ratioLimit(`overhead, spoken by ${one.way.name}`, ratioOf(one), MOST)),
  };
}
