// cadre init: makes a repository ready, after showing what it would write.
import type { Init, InitProposal } from '../../../../app/init.ts';
import type { InitLook, ProposedFile } from '../../../../app/init-files.ts';
import { quoteForShell } from '../../../../text/shell.ts';
import { showName } from '../../../../text/show.ts';
import { answer, type Context, EXIT, type ExitCode, type Given, type Run, refuse, textOption } from '../../context.ts';
import { columns } from '../../text/columns.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  if (app.by.who !== 'user')
    return refuse(context, 'user-only', 'Only a person may set up a repository, and this is the session of an agent.');
  return given.options.remove === true ? remove(context, app.init) : setUp(context, app.init, given);
};

async function setUp(context: Context, init: Init, given: Given): Promise<ExitCode> {
  const look = await init.look();
  const program = textOption(given, 'program') ?? (await chosenProgram(context, look));
  const verify = await chosenVerify(context, look);
  const proposal = await init.propose(verify === undefined ? {} : { verify });
  const isAgreed = await agreed(context, proposal, [...foundLines(proposal.look, program), '']);
  if (!isAgreed) return refuse(context, 'not-confirmed', NOTHING_WRITTEN);
  init.write(proposal.changes);
  if (program !== undefined && program !== look.program.name) await useProgram(context, program);
  answer(context, { changes: proposal.changes.map(shownChange), program: program ?? look.program.name }, [
    written(proposal.changes),
    ...nextLines(proposal, program ?? look.program.name),
  ]);
  return EXIT.ok;
}

async function remove(context: Context, init: Init): Promise<ExitCode> {
  const proposal = await init.proposeRemoval();
  if (proposal.changes.every(({ does }) => does === 'keep')) {
    answer(context, { changes: proposal.changes.map(shownChange) }, [
      ...changeLines(proposal.changes),
      'There is nothing to remove.',
    ]);
    return EXIT.ok;
  }
  if (!(await agreed(context, proposal, []))) return refuse(context, 'not-confirmed', NOTHING_WRITTEN);
  init.write(proposal.changes);
  answer(context, { changes: proposal.changes.map(shownChange) }, [
    'Removed what "cadre init" wrote. Other plans, the journal and branches are untouched.',
  ]);
  return EXIT.ok;
}

const NOTHING_WRITTEN = 'Nothing was written. At a terminal cadre asks before it writes; elsewhere, add --yes.';

/** Shows what would be written, and asks unless the person has agreed in advance. */
async function agreed(context: Context, { changes }: InitProposal, head: readonly string[]): Promise<boolean> {
  const isDone = changes.every(({ does }) => does === 'keep');
  if (!context.json) context.print([...head, ...changeLines(changes)].join('\n'));
  if (isDone || context.yes) return true;
  return (await context.ask('Write this?')) === true;
}

function foundLines(look: InitLook, program: string | undefined): readonly string[] {
  const command = (found: InitLook['verify']): string =>
    found === undefined ? 'none found' : `${quoteForShell(found.words)} (${found.why.replace(/\.$/, '')})`;
  return columns([
    ['base branch', look.branch ?? 'none: HEAD is detached'],
    ['setup', look.setup === undefined ? 'nothing to run' : command(look.setup)],
    ['tests', command(look.verify)],
    ['agents', agentWords(look)],
    ['default agent', program ?? `${look.program.name}${look.program.installed ? '' : ', which is not installed'}`],
  ]);
}

function agentWords({ agents }: InitLook): string {
  if (agents.length === 0) return 'none of claude, codex, gemini, opencode and aider is installed';
  return agents
    .map(({ program, signedIn }) => `${program}${signedIn ? '' : ' (not signed in, as it seems)'}`)
    .join(', ');
}

function changeLines(changes: readonly ProposedFile[]): readonly string[] {
  return columns(changes.map(({ does, path, why }) => [does, path, why]));
}

/** Asked only where the program in the settings is missing and there is something to choose from. */
async function chosenProgram(context: Context, { agents, program }: InitLook): Promise<string | undefined> {
  const [first, ...others] = agents.map((agent) => agent.program);
  if (program.installed || first === undefined) return undefined;
  if (others.length === 0 || context.yes || context.json) return first;
  const typed = await context.prompt(`Which agent: ${[first, ...others].join(', ')}? [${first}] `);
  const choice = typed?.trim() ?? '';
  return choice === '' ? first : choice;
}

/** Asked only where no file of the project suggests a test command. */
async function chosenVerify(context: Context, { verify, isInitialized }: InitLook): Promise<string | undefined> {
  if (verify !== undefined || isInitialized || context.yes || context.json) return undefined;
  const typed = await context.prompt('How are the tests run? A command, or "none": ');
  return typed === undefined || typed.trim() === '' ? undefined : typed.trim();
}

async function useProgram(context: Context, program: string): Promise<void> {
  const outcome = await context.config().set('global', 'default_program', program);
  if (outcome.kind === 'refused') context.say(outcome.why);
  else context.say(`default_program is "${showName(program)}" in ${outcome.path}.`);
}

function written(changes: readonly ProposedFile[]): string {
  const count = changes.filter(({ does }) => does === 'create' || does === 'change').length;
  return count === 0 ? 'Everything is in place.' : `Wrote ${count} file${count === 1 ? '' : 's'}.`;
}

function nextLines({ look, changes }: InitProposal, program: string): readonly string[] {
  const plan = changes.find(({ path, does }) => path.startsWith('docs/plans/') && does === 'create')?.path;
  // A program that was named explicitly is the person's to know.
  const isInstalled = program === look.program.name ? look.program.installed : true;
  const name = plan === undefined ? '<plan>' : plan.replace(/^.*\//, '').replace(/\.md$/, '');
  const paths = [
    ...new Set(changes.flatMap(({ path, text }) => (text === undefined ? [] : [path.split('/')[0] ?? '']))),
  ];
  const commit = look.hasCommit ? `git add ${paths.join(' ')} && git commit -m "Use cadre"` : FIRST_COMMIT;
  const steps = [
    ...(isInstalled ? [] : [['cadre doctor', 'once an agent is installed: claude, codex, gemini, opencode or aider']]),
    ...(look.verify === undefined ? [['cadre config set --project verify <command>', 'how the tests are run']] : []),
    [`cadre rehearse ${name}`, 'tries the plan without a model'],
    [`cadre run ${name}`, 'builds it'],
  ];
  const first = paths.length > 0 || !look.hasCommit ? [commit] : [];
  return ['', 'Next:', ...[...first, ...columns(steps)].map((line) => `  ${line}`)];
}

const FIRST_COMMIT = 'git add --all && git commit -m "Start"';

function shownChange({ path, does, why }: ProposedFile): object {
  return { path, does, why };
}
