// The prompts that agents would get in a world, without starting them.
import { promptText } from '../../src/agents/prompts/prompt.ts';
import { dutyIn } from '../../src/core/model/run-status.ts';
import type { World } from '../../src/core/model/world.ts';
import { type Turn, turnPrompt } from '../../src/core/views/prompts/turn-prompt.ts';
import { planIn, runIn } from './runs.ts';
import { taskIn } from './world.ts';

const SITE: Turn['site'] = {
  worktree: '/w',
  branch: 'b',
  base: 'b0',
  verify: null,
  cadre: ['cadre'],
};

const TEXTS = new Map([
  ['1', '### Task 1: Dig\n\ndig\n'],
  ['2', '### Task 2: Pour\n\npour\n'],
]);

type More = Partial<Pick<Turn, 'planText' | 'texts'>> & { readonly files?: Map<string, string> };

/** For the agent that the present state of the task's run asks for. */
export function promptIn(world: World, task = '1', more: More = {}): string {
  const duty = dutyIn(runIn(world, task), world.policy, taskIn(world, task ?? '1'));
  if (duty === undefined) throw new Error('No agent is asked for.');
  const { session } = runIn(world, task);
  const escalated = session !== null && world.sessions.get(session.id)?.escalated === true;
  return promptOf(world, { turn: duty.work, task: taskIn(world, task), escalated }, more);
}

/** For the reviewer of the whole plan. */
export function planReviewPrompt(world: World, more: More = {}): string {
  return promptOf(world, { turn: 'review-all', task: undefined }, more);
}

function promptOf(
  world: World,
  which: Pick<Turn, 'turn' | 'task' | 'escalated'>,
  { files = new Map(), planText, texts = TEXTS }: More,
): string {
  const turn: Turn = { ...which, site: SITE, plan: planIn(world), texts, planText, verifyPrompt: '' };
  const prompt = turnPrompt(turn, (name, text) => {
    files.set(name, text);
    return `/files/${name}.md`;
  });
  return promptText(prompt);
}
