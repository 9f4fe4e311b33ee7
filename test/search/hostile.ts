// Random walks with hostile agents and large limits, where the search would never end: agents that hang, die, ask for ever,
// lie, loop, change their verdicts and flood. However they behave, each walk comes to rest within its limits, and what is
// shown then says why and what a person can do.
import type { World } from '../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../src/core/settings/default-policy.ts';
import type { Policy } from '../../src/core/settings/policy.ts';
import { needsIn } from '../../src/core/views/needs.ts';
import { outcomeOf } from '../../src/core/views/outcome.ts';
import { type Random, randomFrom } from '../simulation/random.ts';
import { PLAN } from '../support/world.ts';
import { NEXT_TIP, TIP } from './canonical.ts';
import { type Happening, happenings } from './environment.ts';
import { NO_GHOST } from './ghost.ts';
import { brokenIn } from './invariants.ts';
import { type Model, ONE_TASK, PARALLEL, SEQUENTIAL } from './models.ts';
import type { State } from './sameness.ts';
import { after, initial } from './search.ts';

export interface Walk {
  readonly seed: number;
  readonly steps: number;
  /** Signals that were refused. */
  readonly refused: number;
  readonly end: 'done' | 'person' | 'budget' | 'cancelled';
  readonly violations: readonly string[];
}

/** How an agent behaves: what it does, among all that it could do. */
const CHARACTERS: Readonly<Record<string, RegExp>> = {
  honest: /: (?:implement-finished|fix-finished|review-approved|plan-submitted|answer CONTINUE|verify-passed)$/,
  hangs: /session overdue$/,
  dies: /session (?:ends|fails)$/,
  'says nothing': / silent/,
  lies: /\((?:changed files|same commit|moved)\)$|: verify-passed$/,
  'asks for ever': /: question$/,
  'changes its verdict': /: review-(?:approved|changes)$/,
  'is never content': /: (?:review-changes|fix-finished|verify-issues|answer text)$/,
};

/** More steps without a person than any limits allow. */
const MOST_STEPS = 5_000;

/** Signals of any name from any session, in a row. */
const FLOOD = 30;

/** How often the person of a walk decides something before giving up. */
const DECISIONS = 12;

export function walk(seed: number): Walk {
  const random = randomFrom(seed);
  const model = modelFrom(random);
  const character = new Map<string, string>();
  const violations: string[] = [];
  let state: State = { world: initial(model), ghost: NO_GHOST };
  let [steps, refused] = [0, 0];
  const tryOne = (happening: Happening): boolean => {
    const next = after(model, state, happening, (what) => violations.push(`${what}: ${happening.label}`), sameTip);
    if (next === undefined) {
      if (happening.event.kind === 'signal') refused++;
      return false;
    }
    for (const what of brokenIn(next.raw, next.ghost)) violations.push(`${what}: ${happening.label}`);
    state = next;
    return true;
  };
  const possible = (actors: readonly Happening['actor'][], hostile = false): Happening[] =>
    happenings({ ...model, hostile }, state.world, state.ghost).filter(({ actor }) => actors.includes(actor));
  const flood = (): void => {
    const all = possible(['agent'], true).filter(({ event }) => event.kind === 'signal');
    for (let count = 0; count < FLOOD && all.length > 0; count++) tryOne(random.pick(all));
  };
  const restless = (): boolean => {
    if (random.below(20) === 0) flood();
    const left = possible(['engine', 'agent']).filter((one) => isAlive(state.world, one));
    while (left.length > 0) {
      const index = choose(left, character, random);
      const [happening] = left.splice(index, 1);
      if (happening !== undefined && tryOne(happening)) return true;
    }
    return false;
  };

  tryOne(only(possible(['user']), 'run'));
  for (let decisions = 0; decisions <= DECISIONS; decisions++) {
    let alone = 0;
    while (violations.length === 0 && !isOver(state.world) && restless()) {
      steps++;
      if (++alone > MOST_STEPS) violations.push(`no rest after ${MOST_STEPS} steps without a person`);
    }
    violations.push(...unexplained(state.world), ...beyondLimits(state.world));
    if (violations.length > 0 || isOver(state.world)) break;
    const choices = possible(['user']).filter(({ label }) => HELPFUL.test(label));
    while (choices.length > 0 && !tryOne(choices.splice(random.below(choices.length), 1)[0] as Happening));
  }
  return { seed, steps, refused, end: endOf(state.world), violations };
}

/** What a person does who wants the plan built. */
const HELPFUL =
  / (?:launch|next|approve|changes|relaunch|back|override|answer \w+)$|review_approved|review_changes_requested/;

function modelFrom(random: Random): Model {
  const who = (): Policy['architect']['questions'] => random.pick(['human', 'agent', 'auto'] as const);
  const budget = (most: number): number => random.below(most + 1);
  const policy: Policy = {
    ...DEFAULT_POLICY,
    architect: { plan_review: who(), questions: who(), checkins: who() },
    verification: random.pick(['engine', 'agent', 'both'] as const),
    budgets: {
      ...DEFAULT_POLICY.budgets,
      coding: 1 + budget(8),
      fixing: 1 + budget(4),
      checkins: budget(3),
      turns: 2 + budget(58),
      mergeAttempts: 1 + budget(3),
      relaunches: budget(3),
      reviewCycles: budget(3),
    },
  };
  const [files, sequential] = random.pick([
    [ONE_TASK, true],
    [SEQUENTIAL, true],
    [PARALLEL, false],
  ] as const);
  return { name: 'hostile', policy, files, sequential, edits: 'none', wide: true };
}

/** Of what engine and agents could do: mostly what the engine does, or what is in the character of an agent. */
function choose(left: readonly Happening[], character: Map<string, string>, random: Random): number {
  const likely = left.flatMap((one, index) => (isLikely(one, character, random) ? [index] : []));
  return likely.length > 0 && random.below(20) > 0 ? random.pick(likely) : random.below(left.length);
}

function isLikely({ actor, label }: Happening, character: Map<string, string>, random: Random): boolean {
  const who = label.split(':')[0] ?? '';
  if (actor === 'engine' && !label.endsWith('session overdue'))
    return !/overdue|fail|waits|conflict/.test(label) || random.below(12) === 0;
  if (!character.has(who)) character.set(who, characterFrom(random));
  // Nobody behaves in one way for ever.
  if (random.below(200) === 0) character.set(who, characterFrom(random));
  return CHARACTERS[character.get(who) ?? '']?.test(label) ?? false;
}

/** Half of them are honest: where nobody ever works, nothing goes far enough to go wrong. */
function characterFrom(random: Random): string {
  return random.below(2) === 0 ? 'honest' : random.pick(Object.keys(CHARACTERS));
}

/** What a session of the past sends is part of the floods; to try all of it at every rest would take long. */
function isAlive({ sessions }: World, { event }: Happening): boolean {
  if (event.kind !== 'signal') return true;
  const sender = [...sessions.values()].find(({ id }) => id === event.signal.by.session);
  return sender === undefined || sender.wanted === 'running';
}

function only(happened: readonly Happening[], label: string): Happening {
  const found = happened.find((one) => one.label === label);
  if (found === undefined) throw new Error(`"${label}" cannot happen.`);
  return found;
}

function endOf(world: World): Walk['end'] {
  return world.plans.get(PLAN)?.status === 'done' ? 'done' : (outcomeOf(world, PLAN)?.kind ?? 'person');
}

function isOver(world: World): boolean {
  return ['done', 'cancelled'].includes(world.plans.get(PLAN)?.status ?? '');
}

/** Commits have two names only, as in the search. */
function sameTip(world: World): World {
  const entry = world.plans.get(PLAN);
  if (entry?.work?.tip !== NEXT_TIP) return world;
  return { ...world, plans: new Map([[PLAN, { ...entry, work: { ...entry.work, tip: TIP } }]]) };
}

/** At rest, the plan is over, or somebody is told what it waits for and what to do. */
function unexplained(world: World): readonly string[] {
  if (isOver(world)) return [];
  const outcome = outcomeOf(world, PLAN);
  const needs = needsIn(world, PLAN);
  if (outcome === undefined) return ['it rests, but nothing says that it waits for a person'];
  if (needs.length === 0) return ['it waits for a person, but nothing is listed'];
  return needs.flatMap(({ sentence, actions }) => {
    const [, cause = ''] = /: (.*)$/s.exec(sentence) ?? [];
    return cause.length < 10 || actions.length === 0 ? [`no cause or no action: ${sentence}`] : [];
  });
}

function beyondLimits(world: World): readonly string[] {
  const { budgets } = world.policy;
  return (world.plans.get(PLAN)?.tasks ?? []).flatMap(({ run }) => {
    if (run === undefined) return [];
    const { coding, fixing, checkins, turns, mergeAttempts, relaunches } = run.counts;
    const spent = { coding, fixing, checkins, turns, mergeAttempts, relaunches };
    return Object.entries(spent).flatMap(([name, count]) =>
      count > budgets[name as keyof typeof spent] ? [`${count} ${name}, more than the limit`] : [],
    );
  });
}
