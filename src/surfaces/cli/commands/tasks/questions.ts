// cadre questions: everything that runs have asked and nobody has answered, of all plans, and what programs ask on their screens.
import { answererOf } from '../../../../core/model/run-status.ts';
import type { PlanEntry, TaskEntry, World } from '../../../../core/model/world.ts';
import { WORKING } from '../../../../machines/plan.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { askingIn, askingLines } from '../../asking.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { idOf } from '../../find-task.ts';
import { shortTime } from '../../text/record-line.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const questions = questionsIn(await app.gateway.look());
  const asks = await askingIn(app, 'let go');
  const lines = [...questions.flatMap(questionLines), ...asks.flatMap((asking) => ['', ...askingLines(asking)])];
  answer(context, { questions, asks }, lines.length === 0 ? ['Nothing is asked.'] : lines.slice(1));
  return EXIT.ok;
};

interface OpenQuestion {
  /** By which it is answered. */
  readonly id: string;
  readonly plan: string;
  readonly task: string;
  readonly name: string;
  readonly kind: 'ordinary' | 'check-in';
  readonly since: string;
  readonly text: string;
  /** Who is to answer; a person always may. */
  readonly answerer: 'human' | 'agent' | 'auto';
  /** Its plan does not go on, so it cannot be answered now. */
  readonly suspended: boolean;
  /** The words that an answer begins with; empty where it is free. */
  readonly answers: readonly string[];
  readonly command: string;
}

function questionsIn(world: World): readonly OpenQuestion[] {
  return [...world.plans.values()].flatMap((entry) => entry.tasks.flatMap((task) => questionOf(world, entry, task)));
}

function questionOf({ policy }: World, entry: PlanEntry, task: TaskEntry): readonly OpenQuestion[] {
  const { run } = task;
  if (run?.state !== 'QUESTION' || run.question === null) return [];
  const { kind, text } = run.question;
  const id = idOf(entry, task);
  const isCheckIn = kind === 'check-in';
  return [
    {
      id,
      plan: entry.plan,
      task: task.address,
      name: task.name,
      kind,
      since: run.since,
      text,
      answerer: answererOf(run, policy),
      suspended: entry.status !== WORKING,
      answers: isCheckIn ? ['CONTINUE', 'PIVOT', 'ESCALATE', 'ABANDON'] : [],
      command: `cadre answer ${id} ${isCheckIn ? 'CONTINUE|PIVOT|ESCALATE|ABANDON ["reason"]' : '"..."'}`,
    },
  ];
}

function questionLines({ id, name, kind, since, text, answerer, suspended, command }: OpenQuestion): readonly string[] {
  const flags = [
    ...(kind === 'check-in' ? ['check-in'] : []),
    ...(answerer === 'agent' ? ['the architect answers'] : []),
    ...(suspended ? ['stands still with its plan'] : []),
  ];
  return [
    '',
    `${id}  ${showText(name)}  since ${shortTime(since)}${flags.map((flag) => `, ${flag}`).join('')}`,
    ...showLines(text.trimEnd())
      .split('\n')
      .map((line) => `  ${line}`),
    `  > ${command}`,
  ];
}
