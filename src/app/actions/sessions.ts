// Actions on sessions.
import { withAdditions } from '../../agents/prompts/additions.ts';
import { writePlan } from '../../agents/prompts/planner.ts';
import { promptText } from '../../agents/prompts/prompt.ts';
import type { Event } from '../../core/model/event.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import { planFile } from '../../plan/name.ts';
import { ROLES, type Role } from '../../signals/registry.ts';
import { type CommandLine, splitCommand } from '../../text/command-line.ts';
import { showName } from '../../text/show.ts';
import type { AppPorts } from '../ports.ts';
import { viewSessions } from '../sessions.ts';
import { planAmong, sessionNamed } from '../targets.ts';
import { type ActionRow, type Performed, type Refused, type Request, refuse } from './action.ts';
import { submit } from './submit.ts';

type SessionAction =
  | 'session-new'
  | 'session-switch'
  | 'session-resume'
  | 'session-stop'
  | 'session-pause'
  | 'session-send';

export const SESSION_ACTIONS: { readonly [name in SessionAction]: ActionRow<name> } = {
  'session-new': {
    subject: 'repository',
    help: 'Start an agent in its own worktree, branch and terminal',
    confirm: null,
    personOnly: false,
    perform: startNew,
  },
  'session-switch': {
    subject: 'session',
    help: 'Replace the program or role of a session; uncommitted work stays',
    confirm: null,
    personOnly: false,
    perform: switchProgram,
  },
  'session-resume': {
    subject: 'session',
    help: 'Start the program of a session again, where it left off',
    confirm: null,
    personOnly: false,
    perform: async ({ ports, on, input: { prompt } }) =>
      step(ports, { kind: 'session-resume', by: ports.by, session: await idOf(ports, on), prompt }),
  },
  'session-stop': {
    subject: 'session',
    help: 'Stop a session and everything it started; worktree and branch stay',
    confirm: 'Stop the agent?',
    personOnly: false,
    perform: async ({ ports, on }) =>
      step(ports, { kind: 'session-stop', by: ports.by, session: await idOf(ports, on) }),
  },
  'session-pause': {
    subject: 'session',
    help: 'Stop a session, commit its work and remove its worktree',
    confirm: 'Stop the agent, commit its work and remove its worktree?',
    personOnly: false,
    perform: async ({ ports, on }) =>
      step(ports, { kind: 'session-pause', by: ports.by, session: await idOf(ports, on) }),
  },
  'session-send': {
    subject: 'session',
    help: 'Send text to an agent, as one paste and one Enter',
    confirm: null,
    personOnly: false,
    perform: async ({ ports, on, input: { text } }) => {
      const session = await idOf(ports, on);
      if (text.trim() === '') return refuse('no-text', 'There is nothing to send: the text is empty.');
      return step(ports, { kind: 'session-send', by: ports.by, session, text });
    },
  },
};

async function idOf(ports: AppPorts, on: string | undefined): Promise<SessionId> {
  return sessionNamed(await ports.gateway.look(), on ?? '').id;
}

async function startNew({ ports, input }: Request<'session-new'>): Promise<Performed> {
  const { prompt, title, env = [] } = input;
  const { settings, problems } = await ports.config.read();
  if (problems.length > 0) return refuse('bad-config', problems.join('\n'), { try: [suggest('config-check')] });
  const command = programIn(ports, input.program ?? settings.default_program, [
    suggest('session-new', undefined, '<program>'),
    suggest('config-set', 'default_program', '<program>'),
  ]);
  if ('kind' in command) return command;
  const role = input.role === undefined ? 'unknown' : roleNamed(input.role);
  if (typeof role !== 'string') return role;
  const plan = input.plan === undefined ? undefined : await planToWrite(ports, input.plan);
  const { program, flags } = command;
  return step(ports, {
    kind: 'session-new',
    by: ports.by,
    title: title ?? (prompt.trim() === '' ? program : firstWords(prompt)),
    role,
    program,
    flags,
    env,
    prompt: plan === undefined ? prompt : plannersPrompt(ports, plan, prompt),
    from: ports.repository.headCommit(),
    ...(plan === undefined ? {} : { plan }),
  });
}

/** A known plan by any of its names, or the name of a new one. */
async function planToWrite(ports: AppPorts, typed: string): Promise<string> {
  const known = planAmong((await ports.gateway.look()).plans.keys(), typed);
  return known ?? (typed.endsWith('.md') ? typed : `${typed}.md`);
}

/** Where the plan has no valid name, the rule refuses it. */
function plannersPrompt({ root, cadre, promptAdditions }: AppPorts, typed: string, request: string): string {
  const plan = planFile(typed);
  const file = `${root}/docs/plans/${typed}`;
  if (plan === undefined) return request;
  const made = writePlan({ plan, title: null, cadre, request, file });
  return promptText(withAdditions(made, promptAdditions('planner')).prompt);
}

function firstWords(prompt: string): string {
  return prompt.trim().split(/\s+/).slice(0, 6).join(' ').slice(0, 60);
}

/** Without `outside` and `unknown`, which are for sessions that cadre did not start. */
const OFFERED_ROLES = ROLES.filter((role) => role !== 'outside' && role !== 'unknown');

function roleNamed(typed: string): Role | Refused {
  const role = OFFERED_ROLES.find((one) => one === typed);
  return role ?? refuse('unknown-role', `Unknown role "${showName(typed)}". Roles: ${OFFERED_ROLES.join(', ')}.`);
}

async function switchProgram({ ports, on, input }: Request<'session-switch'>): Promise<Performed> {
  const entry = sessionNamed(await ports.gateway.look(), on ?? '');
  const role = input.role === undefined ? entry.role : roleNamed(input.role);
  if (typeof role !== 'string') return role;
  const command =
    input.program === undefined
      ? { program: entry.program, flags: entry.flags }
      : programIn(ports, input.program, [suggest('session-switch', entry.id, '<program>')]);
  if ('kind' in command) return command;
  return step(ports, {
    kind: 'session-switch',
    by: ports.by,
    session: entry.id,
    role,
    ...command,
    env: entry.env,
    prompt: input.prompt,
  });
}

/** `others`: how to choose another program, where this one is not installed. */
function programIn({ repository }: AppPorts, typed: string, others: readonly Suggestion[]): CommandLine | Refused {
  const command = splitCommand(typed);
  if (command === undefined)
    return refuse('bad-program', `"${showName(typed)}" is not a command: it is empty or has an unclosed quote.`);
  const { program } = command;
  if (program.includes('/') && !program.startsWith('/'))
    return refuse(
      'bad-program',
      `"${showName(program)}" would be looked up in the session's worktree. Give its absolute path.`,
    );
  if (!repository.isInstalled(program))
    return refuse('no-program', `${showName(program)} is not installed. Install it, or choose another program.`, {
      try: others,
    });
  return command;
}

/** Submits the event, waits for its effects, and returns the session as it is then. */
async function step(ports: AppPorts, event: Event): Promise<Performed> {
  const submitted = await submit(ports, event);
  if (submitted.kind === 'refused') return submitted;
  const { record, notes } = submitted;
  if (record === undefined) throw new Error(`"${event.kind}" was accepted and left no record.`);
  const id = 'begun' in record ? record.begun.id : 'about' in record ? record.about : undefined;
  const warnings: string[] = [];
  const notify = { tell: (text: string) => warnings.push(text), warn: (text: string) => warnings.push(text) };
  await ports.engine.perform(
    (record.effects ?? []).map((effect) => effect.id),
    notify,
  );
  if ('begun' in record) await pauseForEarlyExit(ports);
  const world = await ports.gateway.look();
  const entry = id === undefined ? undefined : world.sessions.get(id);
  const [session] = entry === undefined ? [] : await viewSessions(ports, [entry]);
  if (entry === undefined || session === undefined) throw new Error(`Record ${record.seq} names no session.`);
  if (session.state === 'failed')
    return refuse('not-started', `${entry.id}: ${session.sentence}`, { try: session.suggestions });
  const problem = event.kind === 'session-send' ? (entry.lastSent?.problem ?? null) : null;
  if (problem !== null)
    return refuse('not-delivered', `Not delivered to ${entry.id}: ${problem}`, { try: session.suggestions });
  const engine = ports.engine.holder() ?? null;
  return { kind: 'done', changed: true, record, world, session, engine, notes: [...notes, ...warnings] };
}

/** A program that cannot run usually exits at once, and the person should see that in the answer. */
async function pauseForEarlyExit(ports: AppPorts): Promise<void> {
  const sessions = await ports.sessions();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(finish, EARLY_EXIT_WITHIN);
    const watching = sessions.watch(finish);
    function finish(): void {
      clearTimeout(timer);
      watching.close();
      resolve();
    }
    sessions.list().catch(reject);
  });
}

/** In milliseconds. */
const EARLY_EXIT_WITHIN = 250;
