// cadre diff: what a run, or a whole plan, has changed.

import type { PlanEntry, TaskEntry } from '../../../../core/model/world.ts';
import type { CommitRange } from '../../../../core/ports/changes.ts';
import { branchOfRun } from '../../../../core/rules/run/launch.ts';
import type { App } from '../../app.ts';
import { answer, type Context, EXIT, type ExitCode, type Run, refuse } from '../../context.ts';
import { subjectMeant } from '../../find-task.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const { entry, task } = subjectMeant(app, given);
  const name = task === undefined ? entry.plan : `${entry.plan}#${task.address}`;
  if (task !== undefined && task.attempts === 0)
    return refuse(context, 'no-run', `${name} was not launched yet, so it has changed nothing.`);
  const changes = await app.changes();
  const span = await (task === undefined ? changes.ofPlan(entry.plan) : ofTask(app, entry, task));
  if (span === undefined)
    return refuse(context, 'no-branch', `${name} has no branch, so it has changed nothing that could be shown.`);
  const form = given.options.stat === true ? 'stat' : 'patch';
  if (task !== undefined && !span.merged) await sayWhatIsLeftOut(context, app, entry, task);
  if (context.json) {
    const patch = form === 'stat' ? {} : { patch: await changes.text(span, 'patch') };
    answer(context, { of: name, ...span, files: await changes.files(span), ...patch }, []);
    return EXIT.ok;
  }
  // What an agent runs may have a terminal that nobody turns the pages of.
  if (context.isTerminal() && app.by.who === 'user')
    return shown(await app.runHere(changes.command(span, form, changes.colour)));
  const text = await changes.text(span, form);
  if (text === '') context.say(`${name} has changed nothing.`);
  else context.print(text.replace(/\n$/, ''));
  return EXIT.ok;
};

/** Of the run that it has, or of the last that it had. */
async function ofTask(app: App, entry: PlanEntry, task: TaskEntry): Promise<CommitRange | undefined> {
  const branch = task.run?.branch ?? branchOfRun(entry, task, task.attempts);
  const merged = task.run?.state === 'DONE' ? task.run.pinned : null;
  return (await app.changes()).ofRun(entry.plan, { branch, merged });
}

async function sayWhatIsLeftOut(context: Context, app: App, { plan }: PlanEntry, { run }: TaskEntry): Promise<void> {
  const facts = run === undefined ? undefined : await app.worktreeFacts(plan, run);
  if (facts?.clean === false && !context.json) context.say('What is not committed in its worktree is not shown.');
}

/** Who leaves the pager early has seen enough. */
function shown(code: number): ExitCode {
  return code === 0 || code === 141 ? EXIT.ok : EXIT.failed;
}
