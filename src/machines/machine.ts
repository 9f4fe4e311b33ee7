// The engine of every lifecycle: a table of states and events, and the few questions one can ask of it.

/** Writes a table down so that a target which is not itself a row is a compile error. */
export function defineTable<const T extends { readonly [from in keyof T]: { readonly [event: string]: keyof T } }>(
  table: T,
): T {
  return table;
}

export type StateOf<T> = Extract<keyof T, string>;
export type EventOf<T> = { [from in keyof T]: Extract<keyof T[from], string> }[keyof T];

export interface Machine<State extends string = string, Event extends string = string> {
  readonly name: string;
  readonly initial: State;
  /** Where a lifecycle may rest for good, although a person may still lead it on. */
  readonly final: readonly State[];
  /** Events that only a person may cause, whatever an agent drops. */
  readonly userOnly: readonly Event[];
  readonly table: { readonly [from in State]: { readonly [event in Event]?: State } };
}

export interface Transition<State extends string = string, Event extends string = string> {
  readonly from: State;
  readonly event: Event;
  readonly to: State;
  readonly userOnly: boolean;
}

export type StepResult<State extends string> =
  | { readonly kind: 'moved'; readonly to: State }
  | { readonly kind: 'refused'; readonly why: string };

/** The only way from one state to another. */
export function step<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State,
  event: Event,
): StepResult<State> {
  const row = machine.table[from];
  const to = Object.hasOwn(row, event) ? row[event] : undefined;
  return to === undefined ? { kind: 'refused', why: refusal(machine, from, event) } : { kind: 'moved', to };
}

export function statesOf<State extends string>(machine: Machine<State, string>): readonly State[] {
  return Object.keys(machine.table) as State[];
}

/** Every event of the machine, in the order in which the table first mentions it. */
export function eventsOf<Event extends string>(machine: Machine<string, Event>): readonly Event[] {
  return [...new Set(transitionsOf(machine).map((transition) => transition.event))];
}

export function acceptedIn<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
): readonly Event[] {
  return Object.keys(machine.table[state]) as Event[];
}

export function transitionsOf<State extends string, Event extends string>(
  machine: Machine<State, Event>,
): readonly Transition<State, Event>[] {
  return statesOf(machine).flatMap((from) =>
    acceptedIn(machine, from).map((event) => ({
      from,
      event,
      to: machine.table[from][event] as State,
      userOnly: isUserOnly(machine, event),
    })),
  );
}

export function isUserOnly<Event extends string>(machine: Machine<string, Event>, event: Event): boolean {
  return machine.userOnly.includes(event);
}

/** Narrows a word from outside to an event of the machine. Words of Object.prototype are no events. */
export function asEvent<Event extends string>(machine: Machine<string, Event>, word: string): Event | undefined {
  return eventsOf(machine).find((event) => event === word);
}

function refusal(machine: Machine, from: string, event: string): string {
  const accepted = acceptedIn(machine, from);
  const instead = accepted.length === 0 ? 'nothing' : accepted.map((name) => `"${name}"`).join(', ');
  return `"${event}" is not possible while ${from}. Possible: ${instead}.`;
}
