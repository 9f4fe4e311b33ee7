// Effects: what a decision wants done in the world, as data. Performing one twice does no harm.

import type { PlanFile } from '../../plan/name.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';
import type { RefusedSignal } from './refused-signal.ts';
import type { TurnWork } from './run.ts';

export type Effect =
  /** Shows a sentence to the person. */
  | { readonly id: string; readonly do: 'tell'; readonly text: string }
  /** Moves a refused signal to quarantine, with its reason beside it. The details are in the world's `refused`. */
  | { readonly id: string; readonly do: 'quarantine'; readonly quarantine: string }
  /** Moves a refused signal back to where it came from, as if it were sent now. */
  | { readonly id: string; readonly do: 'release'; readonly refused: RefusedSignal; readonly entered: number }
  /** Deletes a refused signal for a person. */
  | { readonly id: string; readonly do: 'discard'; readonly refused: RefusedSignal }
  /**
   * Creates the session's worktree and starts its program there. `turn`: what cadre wants the agent to do; the prompt is then
   * built at the start, from the run or the plan that the session belongs to.
   */
  | (OfSession & {
      readonly do: 'start-session';
      readonly prompt: string;
      readonly resume: boolean;
      readonly turn?: TurnWork;
    })
  /** Reminds a live agent of its task. The outcome is reported as session news (`sent`). */
  | (OfSession & { readonly do: 'nudge'; readonly turn: TurnWork })
  | (OfSession & { readonly do: 'stop-session' })
  /** Stops it, commits its uncommitted work, and removes its worktree. */
  | (OfSession & { readonly do: 'pause-session' })
  | (OfSession & { readonly do: 'send-to-session'; readonly text: string })
  | RunEffect
  /**
   * Writes the approved plan of a workshop to its plan file. `replaces`: what the workshop published before, if that was
   * there when the plan was approved; otherwise null. Anything else that is found there is kept beside the plan's artifacts.
   */
  | {
      readonly id: string;
      readonly do: 'publish-plan';
      readonly plan: PlanFile;
      readonly replaces: string | null;
    }
  /** Moves the plan file and the plan's folder to the archive. What is in the way is never overwritten. */
  | { readonly id: string; readonly do: 'archive-plan'; readonly plan: PlanFile }
  /** Moves them back. */
  | { readonly id: string; readonly do: 'unarchive-plan'; readonly plan: PlanFile }
  /** Lands the branch of an approved plan, or says how a person does it. Result: `land`. */
  | { readonly id: string; readonly do: 'land'; readonly plan: PlanFile; readonly tip: string | null }
  /**
   * Pins the commit `keep`, and moves the plan branch from one commit to another; null where it does not exist. Result:
   * `set-branch`.
   */
  | {
      readonly id: string;
      readonly do: 'set-branch';
      readonly plan: PlanFile;
      readonly from: string | null;
      readonly to: string | null;
      readonly keep: string | null;
    }
  /** Pins the plan branch under its generation and deletes it, so that the next run starts a new one from the base branch. */
  | { readonly id: string; readonly do: 'renew-branch'; readonly plan: PlanFile; readonly generation: number };

/** Performed by the engine of the session's machine. */
interface OfSession extends OnMachine {
  readonly id: string;
  readonly session: SessionId;
}

/** Performed by the engine of the run's machine. */
interface OfRun extends OnMachine {
  readonly id: string;
  readonly plan: PlanFile;
  /** The task's id. */
  readonly task: string;
  readonly attempt: number;
  readonly place: PlaceId;
  readonly branch: string;
}

export type RunEffect =
  /** Creates the plan branch if it is missing, and the run's branch and worktree from its tip. Result: `worktree`. */
  | (OfRun & { readonly do: 'worktree' })
  /** Verifies the commit. Result: `verify`. */
  | (OfRun & { readonly do: 'verify'; readonly pin: string })
  /**
   * Squashes the commit onto the plan branch, which must be at `tip`. If the branch is already at the commit that this effect
   * would make, the effect was performed before. Result: `merge`.
   */
  | (OfRun & { readonly do: 'merge'; readonly pin: string; readonly tip: string })
  /** Pins all work of the run, committed or not; then removes the worktree, or leaves it. */
  | (OfRun & { readonly do: 'keep'; readonly worktree: 'remove' | 'leave' })
  /** Pins what a reviewer changed in the worktree, and resets the worktree to the commit. */
  | (OfRun & { readonly do: 'undo'; readonly pin: string })
  /** Links the worktree to the repository again, pins what is in it, and resets it to its branch. Result: `relink`. */
  | (OfRun & { readonly do: 'relink' });

/** An effect before the number of its record is known. */
export type UnnumberedEffect = { [Kind in Effect['do']]: Omit<Extract<Effect, { do: Kind }>, 'id'> }[Effect['do']];

/** The effects of the record `seq`. */
export function numbered(seq: number, effects: readonly UnnumberedEffect[]): readonly Effect[] {
  return effects.map((effect, index) => ({ id: effectId(seq, index), ...effect }) as Effect);
}

export function effectId(seq: number, index: number): string {
  return `e${seq}.${index}`;
}
