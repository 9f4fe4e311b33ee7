// Resolves "Depends on: Task 1, Task 3" to the addresses of tasks.

/** Finds tasks and phases by number. */
export interface AddressBook {
  /** The phases that have a task with this number. */
  phasesWith(number: number): ReadonlySet<number>;
  /** The numbers of a phase's tasks; undefined if there is no such phase. */
  numbersIn(phase: number): ReadonlySet<number> | undefined;
  addressOf(phase: number, number: number): string;
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
  /(?:(phase|wave|task)(s?)[ \t]{0,4}#?)?(\d{1,9}(?:\.\d{1,9})?(?:[ \t]{0,4}[-–—][ \t]{0,4}\d{1,9})?)/gi;
const PARTS = /^(?<phase>[a-z][^\d]*)?(?<first>\d+)(?:\.(?<inner>\d+))?(?:[^\d]+(?<last>\d+))?$/i;

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
  const { phase, first = '', inner, last } = PARTS.exec(reference)?.groups ?? {};
  const from = Number(inner ?? first);
  const to = Number(last ?? from);
  if (from > to) return failed('unreadable', `"${reference}" counts backwards.`);
  const inPhase = inner === undefined ? undefined : Number(first);
  const addresses: string[] = [];
  for (let number = from; number <= to; number++) {
    const found = phase === undefined ? taskNumbered(number, inPhase, ownPhase, book) : tasksOfPhase(number, book);
    if (found.problem !== undefined) return found;
    addresses.push(...found.addresses);
    if (addresses.length > MOST || number - from > MOST) return TOO_MANY;
  }
  return { addresses };
}

function tasksOfPhase(phase: number, book: AddressBook): Dependencies {
  const numbers = book.numbersIn(phase);
  if (numbers === undefined) return failed('unknown', `There is no phase ${phase} in this plan.`);
  if (numbers.size > MOST) return TOO_MANY;
  return { addresses: [...numbers].map((number) => book.addressOf(phase, number)) };
}

/** A repeated number means the task in the same phase, unless a phase is named. */
function taskNumbered(number: number, inPhase: number | undefined, ownPhase: number, book: AddressBook): Dependencies {
  const phases = book.phasesWith(number);
  const [first] = phases;
  if (first === undefined || (inPhase !== undefined && !phases.has(inPhase)))
    return failed('unknown', `There is no task ${inPhase === undefined ? '' : `${inPhase}.`}${number} in this plan.`);
  const phase = inPhase ?? (phases.size === 1 ? first : phases.has(ownPhase) ? ownPhase : undefined);
  if (phase === undefined) {
    const choices = [...phases].slice(0, 5).map((one) => book.addressOf(one, number));
    return failed('ambiguous', `Several tasks have the number ${number}. Write one of ${choices.join(', ')}.`);
  }
  return { addresses: [book.addressOf(phase, number)] };
}

/** Text in parentheses is an explanation, not a reference. */
function withoutParentheses(text: string): string {
  return text.replace(/\([^()]{0,200}\)/g, ' ');
}

function failed(kind: 'unknown' | 'ambiguous' | 'unreadable', message: string): Dependencies {
  return { addresses: [], problem: { code: `${kind}-dependency`, message } };
}

const TOO_MANY = failed('unreadable', `This names more than ${MOST} tasks. Move them into an earlier phase instead.`);
