// cadre signal: an agent says something. It is told at once whether it will be heard, and it is durable when this returns.

import type { Decision } from '../../../../core/model/decision.ts';
import type { Signal } from '../../../../core/model/event.ts';
import type { SessionId } from '../../../../core/model/ids.ts';
import { stateSeqFor } from '../../../../core/model/state-seq.ts';
import type { World } from '../../../../core/model/world.ts';
import { decide } from '../../../../core/rules/decide.ts';
import { findPlan, lastSegment } from '../../../../plan/name.ts';
import { encodeMessage, type Message, messageId } from '../../../../signals/message.ts';
import { findSignal, LARGEST_BODY_BYTES } from '../../../../signals/registry.ts';
import { showName } from '../../../../text/show.ts';
import type { App } from '../../app.ts';
import {
  answer,
  type Context,
  EXIT,
  fail,
  type Given,
  isOverstepping,
  type Run,
  refuse,
  textOption,
} from '../../context.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const world = await app.gateway.look();
  const reference = textOption(given, 'plan') ?? app.session.plan;
  if (reference === undefined)
    return refuse(context, 'no-plan', 'Which plan is it about? Say it with --plan <plan>; this session has none.');
  const plan = fullName(world, reference);
  const isKnown = world.sessions.has(app.session.name as SessionId);
  if (!isKnown && app.session.plan !== undefined && fullName(world, app.session.plan) !== plan)
    return refuse(
      context,
      'not-yours',
      `This session works on ${showName(app.session.plan)}; it cannot speak for ${showName(plan)}.`,
    );
  const body = await bodyOf(context, given);
  const [name = ''] = given.arguments;
  const message = messageFrom(app, world, name, plan, textOption(given, 'task') ?? app.session.task, body);
  if (Buffer.byteLength(encodeMessage(message)) > LARGEST_BODY_BYTES)
    return refuse(
      context,
      'too-large',
      `A signal may have ${LARGEST_BODY_BYTES} bytes, and this has more. Say it shorter.`,
    );
  const signal = await app.lookInto(world, signalFrom(app, message));
  const heard = decide(world, { kind: 'signal', signal }, new Date());
  if (heard.kind === 'accepted' || (heard.kind === 'refused' && isForEngine(app, heard))) app.drop(message);
  if (heard.kind === 'refused') {
    fail(context, heard.code, heard.why, heard.try);
    return EXIT.refused;
  }
  const engine = app.engine() ?? null;
  const move = heard.kind === 'accepted' ? heard.records[0]?.moves[0] : undefined;
  const willMove = move === undefined ? null : { from: move.from, to: move.to };
  const said = heard.kind === 'accepted' ? 'now' : 'before';
  answer(context, { signal: name, plan, said, willMove, engine }, [told(app, plan, willMove)]);
  return EXIT.ok;
};

/**
 * Most of what is refused the agent can put right by itself, and nobody else need know. What it had no right to say is kept
 * for the person, and what follows from a refusal, such as undoing what a reviewer has changed, is the engine's to do.
 */
function isForEngine({ by }: App, { code, records }: Extract<Decision, { kind: 'refused' }>): boolean {
  const oversteps = by.who === 'agent' && (isOverstepping(code) || code === 'not-yours');
  return oversteps || records.some(({ changes }) => changes !== undefined);
}

function messageFrom(
  app: App,
  world: World,
  name: string,
  plan: string,
  task: string | undefined,
  body: string,
): Message {
  return {
    v: 1,
    name,
    plan,
    session: app.session.name,
    role: app.session.role,
    entered: stateSeqFor(world, plan, app.session.name),
    body,
    ...(task === undefined ? {} : { task }),
  };
}

/** The signal as the engine will read it, to ask beforehand what will become of it. */
function signalFrom(app: App, message: Message): Signal {
  const { name, plan, task, entered, body, role, session } = message;
  return {
    id: messageId(message),
    name,
    plan,
    by: { who: 'agent', role, session },
    entered,
    body,
    file: { path: '', inode: '' },
    planFileExists: app.planFileExists(plan),
    ...(task === undefined ? {} : { task }),
  };
}

/** A known plan by any way to name it; an unknown one as it was typed. */
function fullName(world: World, reference: string): string {
  const found = findPlan(reference, world.plans.keys());
  if (found.kind === 'found') return found.plan;
  const typed = lastSegment(reference);
  return typed.endsWith('.md') ? typed : `${typed}.md`;
}

async function bodyOf(context: Context, given: Given): Promise<string> {
  const file = textOption(given, 'bodyFile');
  const needsNone = findSignal(given.arguments[0] ?? '')?.body === 'none';
  if (file === undefined || needsNone) return '';
  return file === '-' ? await context.readInput() : context.readFile(file);
}

function told(app: App, plan: string, move: { readonly from: string | null; readonly to: string } | null): string {
  if (move === null) return 'This was said before; nothing more will happen.';
  const what =
    move.from === null ? `${plan} will be registered as ${move.to}` : `${plan} will go from ${move.from} to ${move.to}`;
  if (app.engine() !== undefined) return `${what}.`;
  // An agent has no say about engines, and in a sandbox of its own it does not see the one that runs.
  const when = app.by.who === 'agent' ? 'the engine takes it' : 'an engine runs ("cadre engine start")';
  return `${what} as soon as ${when}. The signal waits and is not lost.`;
}
