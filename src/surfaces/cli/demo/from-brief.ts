// cadre demo --from-brief: a plan is worked out from a brief, approved, and built, with what it promises checked.
import { Failure } from '../../../core/model/failure.ts';
import type { JournalRecord } from '../../../core/model/record.ts';
import type { World } from '../../../core/model/world.ts';
import { branchOf, type PlanFile, slugOf } from '../../../plan/name.ts';
import { quoteForShell } from '../../../text/shell.ts';
import { showLines } from '../../../text/show.ts';
import type { Context } from '../context.ts';
import type { Playground } from '../playground.ts';
import { progressLines } from '../text/progress-lines.ts';
import { workshopLine } from '../text/workshop-lines.ts';
import { wrapped } from '../text/wrapped.ts';
import { ANSWER, BRIEF, EXISTING, NAME, QUESTION } from './brief.ts';
import { stopOrTimeout } from './build.ts';
import type { DemoClaim } from './claims.ts';
import { FILES } from './files.ts';
import { heading, indented, type Print, remark, WIDTH } from './print.ts';
import { type CheckedClaim, checkClaims } from './result.ts';

export const BRIEF_INTRODUCTION: readonly string[] = [
  'A plan that was argued out before the first agent codes is cheaper than one that was not. In a workshop a planner reads the code, asks what only you can decide, proposes tasks until the proposals are stable, and writes the plan. cadre checks each document, and you approve the plan before anything is built.',
  'The planner and the agents of this demo are scripted, so you need no model, key or network. Everything else is real.',
];

interface Planned {
  readonly context: Context;
  readonly playground: Playground;
  readonly print: Print;
  readonly plan: PlanFile;
  readonly records: JournalRecord[];
}

export async function demoFromBrief(
  context: Context,
  playground: Playground,
  print: Print,
): Promise<{ readonly claims: readonly CheckedClaim[]; readonly branch: string }> {
  print(...heading(`A repository for this demo: ${playground.app.root}`), ...Object.keys(FILES).map(indented));
  print(...heading(`cadre plan new --name ${NAME}`), ...BRIEF.split('\n').slice(0, 3).map(indented), '');
  const { app } = playground;
  const after = await app.feedStart();
  const opened = await must(app.perform({ do: 'plan-new', input: { brief: BRIEF, name: NAME } }));
  if (opened.plan === undefined) throw new Error('The workshop has no plan.');
  const demo: Planned = { context, playground, print, plan: opened.plan.plan, records: [] };
  await follow(demo, after);
  const early = await planningFiles(demo);
  const [question] = (await app.questions()).questions;
  print(
    ...remark([
      ...wrapped(
        `The planner asks: ${showLines(question?.text ?? '')} Nothing continues before somebody answers. The person of this demo does:`,
        WIDTH,
      ),
      '',
      `$ cadre answer ${slugOf(demo.plan)}#${QUESTION} "${ANSWER}"`,
    ]),
  );
  const answered = await app.feedStart();
  await must(app.perform({ do: 'answer', on: `${demo.plan}#${QUESTION}`, input: { text: ANSWER } }));
  await follow(demo, answered);
  print(
    ...remark(
      wrapped(
        'The first plan wanted to create a file that exists. cadre refused it with the reason, and the planner repaired it. The person of this demo approves the plan, and has it built.',
        WIDTH,
      ),
    ),
  );
  print(...heading(`cadre plan approve ${slugOf(demo.plan)}; cadre run ${slugOf(demo.plan)}`));
  await must(app.perform({ do: 'plan-approve', on: demo.plan, input: {} }));
  const building = await app.feedStart();
  await must(app.perform({ do: 'run', on: demo.plan, input: { headless: false } }));
  await follow(demo, building);
  const claims = checkClaims(print, await outcomeOf(demo, early), BRIEF_CLAIMS);
  return { claims, branch: branchOf(demo.plan) };
}

async function must<Answer extends { readonly kind: string }>(
  asked: Promise<Answer>,
): Promise<Exclude<Answer, { readonly kind: 'refused' }>> {
  const answer = await asked;
  if (isRefused(answer)) throw new Failure('failed', 'not-done', answer.message);
  return answer as Exclude<Answer, { readonly kind: 'refused' }>;
}

function isRefused(answer: {
  readonly kind: string;
}): answer is { readonly kind: 'refused'; readonly message: string } {
  return answer.kind === 'refused';
}

/** Until the plan is done, or waits for the person of the demo. */
async function follow(
  { context, playground, print, plan, records }: Planned,
  after: Awaited<ReturnType<Playground['app']['feedStart']>>,
): Promise<void> {
  const { app } = playground;
  const progress = progressLines(await app.world(), plan);
  const outcome = await app.followBuild({ plan, after, stop: stopOrTimeout(context) }, async (item) => {
    if (item.kind !== 'record') return;
    records.push(item.record);
    const line = workshopLine(plan, item.record);
    print(...(line === undefined ? progress(await app.world(), item.record) : line.split('\n')));
  });
  if (outcome === undefined || outcome.kind === 'no-engine')
    throw new Failure('failed', 'not-done', 'The demo was stopped before the plan was done.');
}

/** What is in the folder of the workshop now. */
async function planningFiles({ playground, plan }: Planned): Promise<readonly string[]> {
  const { app } = playground;
  const { text } = await playground.run(['ls', `docs/plans/${slugOf(plan)}/planning`], app.root);
  return text.trim().split('\n');
}

export interface BriefOutcome {
  readonly records: readonly JournalRecord[];
  readonly world: World;
  readonly plan: PlanFile;
  /** The files of the workshop when the planner asked, and at the end. */
  readonly early: readonly string[];
  readonly late: readonly string[];
  /** Prompts that contain the answer. */
  readonly told: number;
  readonly published: string;
  readonly projected: string;
  readonly tests: { readonly exitCode: number; readonly text: string };
  readonly minutes: string;
}

async function outcomeOf(demo: Planned, early: readonly string[]): Promise<BriefOutcome> {
  const { playground, plan, print, records, context } = demo;
  const { app, folder } = playground;
  const result = `${folder}/result`;
  await playground.run(['git', 'worktree', 'add', '--quiet', '--detach', result, branchOf(plan)], app.root);
  const tests = await playground.run(['node', '--test'], result);
  const argv = ['node', 'src/main.js', 'minutes', 'A text of six short words.'];
  const minutes = await playground.run(argv, result);
  print(...heading('The result'), indented(`$ ${quoteForShell(argv)}`), indented(showLines(minutes.text).trim()));
  const told = await playground.run(
    ['grep', '-rlF', '--include=prompt.md', `Answer: ${ANSWER}`, `${folder}/home/repos`],
    app.root,
  );
  return {
    records,
    world: await app.world(),
    plan,
    early,
    late: await planningFiles(demo),
    told: told.text
      .trim()
      .split('\n')
      .filter((line) => line !== '').length,
    published: context.readFile(`${app.root}/docs/plans/${plan}`),
    projected: context.readFile(`${app.root}/docs/plans/${slugOf(plan)}/planning/plan.md`),
    tests,
    minutes: minutes.text.trim(),
  };
}

export const BRIEF_CLAIMS: readonly DemoClaim<BriefOutcome>[] = [
  {
    claim: 'The planner asked first, and nothing structured was on disk before the plan was written.',
    holds: ({ early, records }) =>
      early.join() === 'brief.md,meeting.jsonl' && records.some(({ event }) => event === 'workshop_answered'),
  },
  {
    claim: 'The answer was in every prompt of the planner after it.',
    holds: ({ told, records }) => told === plannersAfterAnswer(records) && told > 0,
  },
  {
    claim: `A plan that would create ${EXISTING}, which exists, was refused with that reason.`,
    holds: ({ world, plan }) =>
      world.plans
        .get(plan)
        ?.workshop?.transcript.some(({ kind, content }) => kind === 'invalid' && content.includes(EXISTING)) === true,
  },
  {
    claim: 'The plan was published as approved, with all its artifacts.',
    holds: ({ published, projected, late }) =>
      published === projected &&
      ['plan.files.json', 'plan.md', 'planning.ai.json'].every((name) => late.includes(name)),
  },
  {
    claim: 'The plan is done, and every task of it was built, tested, reviewed and merged.',
    holds: ({ world, plan }) => {
      const entry = world.plans.get(plan);
      return (
        entry?.status === 'done' && entry.tasks.length === 2 && entry.tasks.every(({ run }) => run?.state === 'DONE')
      );
    },
  },
  {
    claim: 'The tests pass on the plan branch, and the program does what the brief asks for.',
    holds: ({ tests, minutes }) => tests.exitCode === 0 && /^(?:#|ℹ) pass [1-9]/m.test(tests.text) && minutes === '1',
  },
];

function plannersAfterAnswer(records: readonly JournalRecord[]): number {
  const answered = records.findIndex(({ event }) => event === 'workshop_answered');
  return records.slice(answered).filter((record) => record.event === 'session_begun' && record.begun.plans).length;
}
