// Whose turn it is, how long that may last, and what can be run next: the same for plans and tasks.

import type { TaskView } from '../../../core/views/plan.ts';
import type { RunView, Used } from '../../../core/views/run.ts';
import type { WaitStatus } from '../../../core/views/why.ts';
import { authorWords } from '../../../signals/author.ts';
import { quoteForShell } from '../../../text/shell.ts';
import { showLines, showName, showText } from '../../../text/show.ts';
import { firstLineShown, shortTime } from './record-line.ts';

export function waitLines(
  { owner, sentence, deadline }: Pick<WaitStatus<string>, 'owner' | 'sentence' | 'deadline'>,
  commands: readonly string[],
): readonly string[] {
  return [
    `${showLines(sentence)} (owner: ${owner ?? 'nobody'}, ${deadlineWords(deadline)})`,
    ...(commands.length === 0 ? [] : ['You can run:', ...commands.map((command) => `  ${command}`)]),
  ];
}

export function deadlineWords(deadline: WaitStatus<string>['deadline']): string {
  return deadline === null ? 'no deadline' : CONSEQUENCES[deadline.leadsTo](shortTime(deadline.at));
}

const CONSEQUENCES = {
  restart: (at: string) => `until ${at}, then a new agent is started`,
  fail: (at: string) => `until ${at}, then it counts as failed`,
  end: (at: string) => `until ${at}, then the run ends`,
  remind: (at: string) => `reminded at ${at}`,
} as const;

/** Every detail of a task's run; nothing where it has none. */
export function runLines({ run }: TaskView): readonly string[] {
  if (run === null) return [];
  const { coding, fixing, checkins, turns, mergeAttempts, relaunches } = run.counts;
  const counters = [
    `coding ${of(coding)}`,
    `fixing ${of(fixing)}`,
    `check-ins ${of(checkins)}`,
    `all turns ${of(turns)}`,
    `merges ${of(mergeAttempts)}`,
    `restarts ${of(relaunches)}`,
  ];
  return [
    `Run: ${stateWords(run)} since ${shortTime(run.since)}, attempt ${run.attempt}, on ${run.branch}.`,
    `Used: ${counters.join(', ')}.`,
    ...verifiedLines(run),
    ...feedbackLines(run),
    ...reportLines(run),
  ];
}

/** What a passed verification is worth. */
export function verifiedLines({ verified }: Pick<RunView, 'verified'>): readonly string[] {
  if (verified === null) return [];
  const { command, rewrites } = verified;
  if (command === null) return ['Not verified: the project has no verify command.'];
  return [
    `Verified with: ${showText(quoteForShell(command))}`,
    ...(rewrites.length === 0 ? [] : [`The run changes what that command runs: ${rewrites.map(showName).join(', ')}.`]),
  ];
}

export function stateWords({ state, stage, unverified }: RunView): string {
  const more = [...(stage === null ? [] : [`${stage} review`]), ...(unverified ? ['not verified'] : [])];
  return more.length === 0 ? state : `${state} (${more.join(', ')})`;
}

export function feedbackLines({ feedback }: RunView): readonly string[] {
  return feedback === null ? [] : [`Last feedback${sourceWords(feedback)}: "${firstLineShown(feedback.text)}"`];
}

/** What the implementer says about its work; nobody has checked it. */
function reportLines({ report }: RunView): readonly string[] {
  if (report === null) return [];
  const more = [
    ...(report.left_out ?? []).map((one) => `  left out: ${firstLineShown(one)}`),
    ...(report.concerns ?? []).map((one) => `  concern: ${firstLineShown(one)}`),
  ];
  return [`Report (${report.status}): "${firstLineShown(report.summary)}"`, ...more];
}

/** Who said it; of the engine's own, what it is about. */
function sourceWords({ reason, by }: NonNullable<RunView['feedback']>): string {
  if (by !== null && by !== 'engine') return ` (from ${authorWords(by)})`;
  return reason === null ? '' : ` (${reason.replaceAll('_', ' ')})`;
}

export function of({ used, of: most }: Used): string {
  return `${used}/${most}`;
}
