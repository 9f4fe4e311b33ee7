// Ends an incident of a plan branch: moves it back, or pins what the journal takes over.
import type { Effect } from '../../core/model/effect.ts';
import type { EffectResult } from '../../core/model/event.ts';
import { movedAway } from './branch-moves.ts';
import { isCutShort, type RunPorts, whyOf } from './ports.ts';

/** If git refuses, the result says why, and a person can try again. */
export async function setBranch(
  ports: RunPorts,
  { plan, from, to, keep }: Extract<Effect, { do: 'set-branch' }>,
): Promise<EffectResult> {
  try {
    const answer = await ports.merging.setBranch({ plan, from, to, keep });
    if (answer.kind === 'set') return { of: 'set-branch' };
    if (answer.kind === 'occupied') return { of: 'set-branch', failed: answer.why };
    throw await movedAway(ports, plan);
  } catch (error) {
    if (isCutShort(error)) throw error;
    return { of: 'set-branch', failed: whyOf(error) };
  }
}
