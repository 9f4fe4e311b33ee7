// Valid names of plans, and how people and agents refer to a plan.
import { showName } from '../text/show.ts';

export type PlanFile = string & { readonly brand: 'PlanFile' };

/** A sentinel's file name is a signal, a dash and the plan's name, and a file name has at most 255 bytes. */
export const LONGEST_PLAN_NAME = 200;

export function planFile(name: string): PlanFile | undefined {
  return whatIsWrong(name) === undefined ? (name as PlanFile) : undefined;
}

/** A sentence that says what is wrong with a name, if anything. A plan's name becomes part of branch names. */
export function whyNoPlanName(name: string): string | undefined {
  const why = whatIsWrong(name);
  return why === undefined ? undefined : `"${showName(name)}" is not a valid plan name: ${why}`;
}

function whatIsWrong(name: string): string | undefined {
  if (!name.endsWith('.md')) return 'it must end in ".md".';
  if (!isAllowed(name))
    return 'it may contain only letters, digits, ".", "_", "+" and "-", and must start with a letter, a digit or "_". Rename the file.';
  if (name.includes('..') || name.endsWith('.lock.md'))
    return 'git does not allow a branch with this name (".." or a trailing ".lock"). Rename the file.';
  if (name.length * 3 > LONGEST_PLAN_NAME && utf8Length(name) > LONGEST_PLAN_NAME)
    return `it is longer than ${LONGEST_PLAN_NAME} bytes. Rename the file.`;
  return undefined;
}

/** Nearly every name is of the first kind, and V8 takes a millisecond to build the other expression. */
function isAllowed(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._+-]*\.md$/.test(name) || /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._+-]*\.md$/u.test(name);
}

export function slugOf(plan: PlanFile): string {
  return plan.slice(0, -'.md'.length);
}

export function branchOf(plan: PlanFile): string {
  return `plan/${slugOf(plan)}`;
}

type Found =
  | { readonly kind: 'found'; readonly plan: PlanFile }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly plans: readonly PlanFile[] };

/**
 * Finds a plan by its file name, with or without ".md" and with or without the date that it starts with, by a path to it,
 * or by the start of such a name that only one plan has.
 */
export function findPlan(reference: string, plans: Iterable<PlanFile>): Found {
  const wanted = lastSegment(reference);
  if (wanted === '') return { kind: 'none' };
  const all = [...plans];
  for (const isNamed of WAYS_TO_NAME) {
    const found = all.filter((plan) => isNamed(plan, wanted));
    const [only] = found;
    if (only === undefined) continue;
    return found.length === 1 ? { kind: 'found', plan: only } : { kind: 'several', plans: found.toSorted() };
  }
  return { kind: 'none' };
}

/** The most exact way first. */
const WAYS_TO_NAME: readonly ((plan: PlanFile, wanted: string) => boolean)[] = [
  (plan, wanted) => plan === wanted || slugOf(plan) === wanted,
  (plan, wanted) => undated(plan) === wanted || undated(slugOf(plan)) === wanted,
  (plan, wanted) => plan.startsWith(wanted) || undated(plan).startsWith(wanted),
];

/** "2026-11-16-search.md" without the date; a name that is only a date stays as it is. */
export function undated(name: string): string {
  return name.replace(/^\d{4}-?\d{2}-?\d{2}[-_](?=[^.])/, '');
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
