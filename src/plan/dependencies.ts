// Resolves "Depends on: Task 1, Task 3" to the addresses of tasks.

import type { Marker } from './marker.ts';

/** Finds tasks and phases by number. */
export interface AddressBook {
  /** The phases that have a task with this number, without a dot. */
  phasesWith(number: number): ReadonlySet<number>;
  /** Whether the heading of a task has this number, with a dot. */
  isWritten(number: string): boolean;
  /** The addresses of a phase's tasks; undefined if there is no such phase. */
  addressesIn(phase: number): readonly string[] | undefined;
  addressOf(phase: number, marker: Pick<Marker, 'number' | 'outer' | 'written'>): string;
}

export interface Dependencies {
  /** The addresses of the tasks that were found. */
  readonly addresses: readonly string[];
  readonly problem?: DependencyProblem;
}

interface DependencyProblem {
  readonly code: `${'unknown' | 'ambiguous' | 'unreadable'}-dependency`;
  readonly message: string;
}

/** Reads each text once per phase: tasks of one phase often have the same dependencies, and then share the list. */
export function dependencyReader(book: AddressBook): (written: string, ownPhase: number) => Dependencies {
  const known = new Map<string, Dependencies>();
  return (written, ownPhase) => {
    const key = `${ownPhase} ${written}`;
    const dependencies = known.get(key) ?? readDependencies(written, ownPhase, book);
    known.set(key, dependencies);
    return dependencies;
  };
}

function readDependencies(written: string, ownPhase: number, book: AddressBook): Dependencies {
  const text = withoutParentheses(written).trim();
  if (NOTHING.test(text)) return { addresses: [] };
  const references = referencesIn(text);
  if (references.size === 0) return failed('unreadable', 'No task number found. Write "Task 1, Task 3", or "none".');
  const addresses = new Set<string>();
  let first: DependencyProblem | undefined;
  for (const reference of references) {
    const { addresses: found, problem } = lookUp(reference, ownPhase, book);
    first ??= problem;
    for (const address of found) addresses.add(address);
    if (problem === TOO_MANY.problem || addresses.size > MOST) return TOO_MANY;
  }
  return { addresses: [...addresses], ...(first === undefined ? {} : { problem: first }) };
}

/** Keeps the size of the result in proportion to the size of the plan. */
const MOST = 256;
const NOTHING = /^[*_`]{0,3}(?:none|nothing|[-–—])[*_`.]{0,3}$/i;
/** "Task 2", "2.1", "Tasks 1-3", "Phase 1": a number or a range, with or without a word before it. */
const REFERENCE =
  /(?:(phase|wave|task)(s?)[ \t]{0,4}#?)?(\d{1,9}(?:\.\d{1,9}){0,2}(?:[ \t]{0,4}[-–—][ \t]{0,4}\d{1,9}(?:\.\d{1,9}){0,2})?)/gi;
const PARTS =
  /^(?<phase>[a-z][^\d]*)?(?:(?<outer>\d+(?:\.\d+)?)\.)?(?<first>\d+)(?:[^\d.]+(?:(?<lastOuter>\d+(?:\.\d+)?)\.)?(?<last>\d+))?$/i;

/** Each reference once, with "phase" before the number of a phase. "Phases 1 and 2" are two phases. */
function referencesIn(text: string): ReadonlySet<string> {
  const references = new Set<string>();
  let ofPhases = false;
  for (const [, word, plural, numbers = ''] of text.matchAll(REFERENCE)) {
    const isPhase: boolean = word === undefined ? ofPhases : word.toLowerCase() !== 'task';
    ofPhases = isPhase && (word === undefined || plural !== '');
    references.add(isPhase ? `phase ${numbers}` : numbers);
  }
  return references;
}

/** All the tasks that one reference names, or none and the first problem. */
function lookUp(reference: string, ownPhase: number, book: AddressBook): Dependencies {
  const { phase, outer, first = '', lastOuter, last } = PARTS.exec(reference)?.groups ?? {};
  if (lastOuter !== undefined && lastOuter !== outer)
    return failed('unreadable', `"${reference}" starts in one phase and ends in another. Name the tasks one by one.`);
  if (phase !== undefined && outer !== undefined) return tasksOfPhase(Number(`${outer}.${first}`), book);
  const from = Number(first);
  const to = Number(last ?? first);
  if (from > to) return failed('unreadable', `"${reference}" counts backwards.`);
  const inPhase = outer === undefined ? undefined : Number(outer);
  const addresses: string[] = [];
  for (let number = from; number <= to; number++) {
    const found =
      phase === undefined ? taskNumbered({ number, outer: inPhase }, ownPhase, book) : tasksOfPhase(number, book);
    if (found.problem !== undefined) return found;
    addresses.push(...found.addresses);
    if (addresses.length > MOST || number - from > MOST) return TOO_MANY;
  }
  return { addresses };
}

function tasksOfPhase(phase: number, book: AddressBook): Dependencies {
  const addresses = book.addressesIn(phase);
  if (addresses === undefined) return failed('unknown', `There is no phase ${phase} in this plan.`);
  return addresses.length > MOST ? TOO_MANY : { addresses };
}

interface WrittenNumber {
  readonly number: number;
  /** The part before the dot. */
  readonly outer: number | undefined;
}

/**
 * "2.1" is the task whose heading says so; without one it is task 1 of phase 2. A repeated number without a dot means the
 * task in the same phase.
 */
function taskNumbered({ number, outer }: WrittenNumber, ownPhase: number, book: AddressBook): Dependencies {
  const written = outer === undefined ? `${number}` : `${outer}.${number}`;
  if (book.isWritten(written)) return { addresses: [written] };
  const phases = book.phasesWith(number);
  const [first] = phases;
  if (first === undefined || (outer !== undefined && !phases.has(outer)))
    return failed('unknown', `There is no task ${written} in this plan.`);
  const phase = outer ?? (phases.size === 1 ? first : phases.has(ownPhase) ? ownPhase : undefined);
  const plain = { number, outer: undefined, written: `${number}` };
  if (phase === undefined) {
    const choices = [...phases].slice(0, 5).map((one) => book.addressOf(one, plain));
    return failed('ambiguous', `Several tasks have the number ${number}. Write one of ${choices.join(', ')}.`);
  }
  return { addresses: [book.addressOf(phase, plain)] };
}

/** Text in parentheses is an explanation, not a reference. */
function withoutParentheses(text: string): string {
  return text.replace(/\([^()]{0,200}\)/g, ' ');
}

function failed(kind: 'unknown' | 'ambiguous' | 'unreadable', message: string): Dependencies {
  return { addresses: [], problem: { code: `${kind}-dependency`, message } };
}

const TOO_MANY = failed('unreadable', `This names more than ${MOST} tasks. Move them into an earlier phase instead.`);
