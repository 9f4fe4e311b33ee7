// What an agent would be told now: the engine's own way of making a prompt, with files that are named and not written.
import { join } from 'node:path';
import { textsFor } from '../adapters/worktrees/run-files.ts';
import type { Prompt } from '../agents/prompts/prompt.ts';
import type { TurnToShow } from '../app/ports.ts';
import type { PlanEntry, World } from '../core/model/world.ts';
import { BRIEF_FILES } from '../core/views/prompts/assignment.ts';
import { inForce } from '../engine/effects/in-force.ts';
import { turnOf } from '../engine/effects/prompt.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine.ts';

export async function promptNow(
  { repo, planFiles }: Base,
  { effectPorts }: EngineParts,
  world: World,
  { plan, turn }: { readonly plan: PlanEntry; readonly turn: TurnToShow },
): Promise<Prompt> {
  const ports = inForce(effectPorts(new AbortController().signal), world);
  const reading = planFiles.read(plan.plan);
  const written = new Map(
    reading.kind === 'read' ? reading.outline.tasks.map((task) => [task.address, task.text]) : [],
  );
  return turnOf(
    {
      ...ports,
      // A task that was never launched will be launched with what the file says now.
      async launchedTexts(name) {
        const texts = new Map(await ports.launchedTexts(name));
        for (const { id, address, attempts } of plan.tasks) {
          const text = written.get(address);
          if (text !== undefined && attempts === 0) texts.set(id, text);
        }
        return texts;
      },
    },
    plan,
    turn,
    (name) => join(textsFor(repo.runs, turn.tree), `${BRIEF_FILES.includes(name) ? name : `next-${name}`}.md`),
  );
}
