// "Depends on: Task 1, Task 3": from what is written to the tasks that are meant.

/** Where tasks stand, so that a number can be looked up. */
export interface AddressBook {
  /** The phases that have a task with this number. */
  phasesWith(number: number): ReadonlySet<number>;
  /** The numbers of a phase's tasks, or nothing when there is no such phase. */
  numbersIn(phase: number): ReadonlySet<number> | undefined;
  addressOf(phase: number, number: number): string;
}

export interface Dependencies {
  /** The addresses of the tasks that are meant, as far as they could be found. */
  readonly addresses: readonly string[];
  /** What is wrong with what is written. */
  readonly wrong?: Wrong;
}

interface Wrong {
  readonly code: `${'unknown' | 'ambiguous' | 'unreadable'}-dependency`;
  readonly message: string;
}

/** Reads each text once a phase: tasks of one phase often wait for the same ones, and then share the list. */
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
  if (references.size === 0)
    return {
      addresses: [],
      wrong: wrong('unreadable', 'There is no task number here. Write "Task 1, Task 3", or "none".'),
    };
  const addresses = new Set<string>();
  let first: Wrong | undefined;
  for (const reference of references) {
    const meant: string[] = [];
    const problem = lookUp(reference, ownPhase, book, meant);
    first ??= problem;
    if (problem === undefined) for (const address of meant) addresses.add(address);
    if (problem === TOO_MANY || addresses.size > MOST) return { addresses: [], wrong: TOO_MANY };
  }
  return { addresses: [...addresses], ...(first === undefined ? {} : { wrong: first }) };
}

/** So that what comes out of a plan stays in proportion to what is in it. */
const MOST = 256;
const NOTHING = /^[*_`]{0,3}(?:none|nothing|[-–—])[*_`.]{0,3}$/i;
/** "Task 2", "2.1", "Tasks 1-3", "Phase 1": a number, perhaps with what it counts, perhaps up to another. */
const REFERENCE =
  /(?:(phase|wave|task)(s?)[ \t]{0,4}#?)?(\d{1,9}(?:\.\d{1,9})?(?:[ \t]{0,4}[-–—][ \t]{0,4}\d{1,9})?)/gi;
const PARTS = /^(?<phase>[a-z][^\d]*)?(?<first>\d+)(?:\.(?<inner>\d+))?(?:[^\d]+(?<last>\d+))?$/i;

/** Each once, a phase with the word before its number. "Phases 1 and 2" are two phases. */
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

/** Adds what is meant; returns what is wrong, if anything is. */
function lookUp(reference: string, ownPhase: number, book: AddressBook, addresses: string[]): Wrong | undefined {
  const { phase, first = '', inner, last } = PARTS.exec(reference)?.groups ?? {};
  const from = Number(inner ?? first);
  const to = Number(last ?? from);
  if (from > to) return wrong('unreadable', `"${reference}" counts backwards.`);
  const inPhase = inner === undefined ? undefined : Number(first);
  for (let number = from; number <= to; number++) {
    const problem =
      phase === undefined ? addTask(number, inPhase, ownPhase, book, addresses) : addPhase(number, book, addresses);
    if (problem !== undefined) return problem;
    if (addresses.length > MOST || number - from > MOST) return TOO_MANY;
  }
  return undefined;
}

function addPhase(phase: number, book: AddressBook, addresses: string[]): Wrong | undefined {
  const numbers = book.numbersIn(phase);
  if (numbers === undefined) return wrong('unknown', `There is no phase ${phase} in this plan.`);
  if (numbers.size > MOST) return TOO_MANY;
  for (const number of numbers) addresses.push(book.addressOf(phase, number));
  return undefined;
}

/** A number that repeats means the task of the own phase, unless its phase is named. */
function addTask(
  number: number,
  inPhase: number | undefined,
  ownPhase: number,
  book: AddressBook,
  addresses: string[],
): Wrong | undefined {
  const phases = book.phasesWith(number);
  const [first] = phases;
  if (first === undefined || (inPhase !== undefined && !phases.has(inPhase)))
    return wrong('unknown', `There is no task ${inPhase === undefined ? '' : `${inPhase}.`}${number} in this plan.`);
  const meant = inPhase ?? (phases.size === 1 ? first : phases.has(ownPhase) ? ownPhase : undefined);
  if (meant === undefined) {
    const choices = [...phases].slice(0, 5).map((phase) => book.addressOf(phase, number));
    return wrong('ambiguous', `Several tasks have the number ${number}. Write one of ${choices.join(', ')}.`);
  }
  addresses.push(book.addressOf(meant, number));
  return undefined;
}

/** What stands in parentheses explains; it names nothing. */
function withoutParentheses(text: string): string {
  return text.replace(/\([^()]{0,200}\)/g, ' ');
}

function wrong(kind: 'unknown' | 'ambiguous' | 'unreadable', message: string): Wrong {
  return { code: `${kind}-dependency`, message };
}

const TOO_MANY: Wrong = wrong('unreadable', `More than ${MOST} tasks are named here. Put them into an earlier phase.`);
