// An agent sends a signal, and learns at once whether it will be accepted. The signal is durable when this returns.
import type { Decision } from '../core/model/decision.ts';
import type { SessionId } from '../core/model/ids.ts';
import type { JournalRecord } from '../core/model/record.ts';
import { NO_FILE, signalFromMessage, stateSeqFor } from '../core/model/signal.ts';
import type { World } from '../core/model/world.ts';
import type { LockHolder } from '../core/ports/locks.ts';
import { decide } from '../core/rules/decide.ts';
import { findPlan, lastSegment } from '../plan/name.ts';
import { encodeMessage, type Message } from '../signals/message.ts';
import { LARGEST_BODY_BYTES } from '../signals/registry.ts';
import { showName } from '../text/show.ts';
import { type Refused, refuse } from './actions/action.ts';
import { isOverstepping } from './perform.ts';
import type { AppPorts } from './ports.ts';

export interface SignalRequest {
  readonly name: string;
  /** The plan it is about; default: the plan of the session. */
  readonly plan: string | undefined;
  readonly task: string | undefined;
  readonly body: string;
}

export type SignalSent =
  | {
      readonly kind: 'sent';
      readonly plan: string;
      /** `before`: the same was sent before, and nothing more will happen. */
      readonly said: 'now' | 'before';
      readonly willMove: { readonly from: string | null; readonly to: string } | null;
      readonly engine: LockHolder | null;
    }
  | Refused;

export async function sendSignal(ports: AppPorts, request: SignalRequest): Promise<SignalSent> {
  const { speaker } = ports;
  const world = await ports.gateway.look();
  const reference = request.plan ?? speaker.plan;
  if (reference === undefined)
    return refuse('no-plan', 'Which plan is the signal about? This session has none, so name it.');
  const plan = fullName(world, reference);
  const isKnown = world.sessions.has(speaker.name as SessionId);
  if (!isKnown && speaker.plan !== undefined && fullName(world, speaker.plan) !== plan)
    return refuse(
      'not-yours',
      `This session works on ${showName(speaker.plan)}; it cannot speak for ${showName(plan)}.`,
    );
  const message = messageFrom(ports, world, { ...request, plan });
  if (new TextEncoder().encode(encodeMessage(message)).length > LARGEST_BODY_BYTES)
    return refuse('too-large', `The signal is larger than ${LARGEST_BODY_BYTES} bytes. Shorten its body.`);
  return drop(ports, world, message);
}

async function drop(ports: AppPorts, world: World, message: Message): Promise<SignalSent> {
  const planFileExists = ports.repository.planFileExists(message.plan);
  const keyOf = message.key === undefined ? undefined : ports.signals.ownerOfKey(message.key);
  const claim = signalFromMessage(message, {
    file: NO_FILE,
    planFileExists,
    ...(keyOf === undefined ? {} : { keyOf }),
  });
  const signal = await ports.facts.forSignal(world, claim);
  const answer = decide(world, { kind: 'signal', signal }, ports.clock.now());
  // During an incident it waits in the inbox.
  const isKept = answer.kind === 'ignored' && answer.keep;
  if (answer.kind === 'accepted' || isKept || (answer.kind === 'refused' && isForEngine(ports, answer)))
    ports.signals.drop(message);
  if (answer.kind === 'refused') return refuse(answer.code, answer.why, { try: answer.try });
  const [record] = answer.records;
  if (record?.event === 'round_invalid') return sentBack(ports, world, { ...record, signal: { id: signal.id } });
  const move = answer.kind === 'accepted' ? answer.records[0]?.moves[0] : undefined;
  return {
    kind: 'sent',
    plan: message.plan,
    said: answer.kind === 'accepted' || isKept ? 'now' : 'before',
    willMove: move === undefined ? null : { from: move.from, to: move.to },
    engine: ports.engine.holder() ?? null,
  };
}

/** How long a planner waits until the engine has taken its document, in milliseconds. */
const TAKEN_WITHIN = 10_000;

/**
 * The document of a planner is invalid: it counts as one, and the planner may send another. The answer comes when the
 * engine has taken this one, because only then is another document asked for.
 */
async function sentBack(
  { journal }: AppPorts,
  { seq }: World,
  { changes = [], signal }: Pick<JournalRecord, 'changes'> & { readonly signal: { readonly id: string } },
): Promise<Refused> {
  for await (const record of journal.follow(seq, AbortSignal.timeout(TAKEN_WITHIN)))
    if (record.signal?.id === signal.id) break;
  const violations = changes.flatMap((one) => (one.of === 'workshop' ? (one.change.violations ?? []) : []));
  const isLast = changes.some((one) => one.of === 'workshop' && one.change.session === null);
  const next = isLast
    ? 'A person decides how to continue; end your turn.'
    : 'Repair this, and send the whole document again.';
  return refuse(
    'invalid-document',
    ['The document is invalid:', ...violations.map((one) => `- ${one}`), next].join('\n'),
  );
}

/**
 * Most refused signals are only for the agent, which can fix them. The engine gets those that the agent had no right to
 * send, to show them to the person, and those with consequences, such as undoing the changes of a reviewer.
 */
function isForEngine({ by }: AppPorts, { code, records }: Extract<Decision, { kind: 'refused' }>): boolean {
  const oversteps = by.who === 'agent' && (isOverstepping(code) || code === 'not-yours' || code === 'no-key');
  return oversteps || records.some(({ changes }) => changes !== undefined);
}

function messageFrom({ speaker }: AppPorts, world: World, request: SignalRequest & { readonly plan: string }): Message {
  const { name, plan, body } = request;
  const task = request.task ?? speaker.task;
  return {
    v: 1,
    name,
    plan,
    session: speaker.name,
    role: speaker.role,
    entered: stateSeqFor(world, plan, speaker.name),
    body,
    ...(task === undefined ? {} : { task }),
    ...(speaker.key === undefined ? {} : { key: speaker.key }),
  };
}

/** A known plan by any of its names; an unknown one as it was typed. */
function fullName(world: World, reference: string): string {
  const found = findPlan(reference, world.plans.keys());
  if (found.kind === 'found') return found.plan;
  const typed = lastSegment(reference);
  return typed.endsWith('.md') ? typed : `${typed}.md`;
}
