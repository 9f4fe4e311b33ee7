// What a decision asks to be done in the world, as data. Each may be performed twice without harm.

import type { PlanFile } from '../../plan/name.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';
import type { Refused } from './refused-signal.ts';
import type { TurnWork } from './run.ts';

export type Effect =
  /** Brings a sentence before a person. */
  | { readonly id: string; readonly do: 'tell'; readonly text: string }
  /** Moves a refused signal aside, with its reason beside it. The particulars stand in the world's `refused`. */
  | { readonly id: string; readonly do: 'quarantine'; readonly quarantine: string }
  /** Puts a refused signal back where it came from, to be heard as if it were said now. */
  | { readonly id: string; readonly do: 'release'; readonly refused: Refused; readonly entered: number }
  /** Deletes a refused signal, at a person's word. */
  | { readonly id: string; readonly do: 'discard'; readonly refused: Refused }
  /**
   * Makes the session's worktree and starts its program there, in its place. `turn`: what the agent is to do, where cadre itself
   * has given it work; its prompt is then made when it is started, from the run or the plan that the session belongs to.
   */
  | (OfSession & {
      readonly do: 'start-session';
      readonly prompt: string;
      readonly resume: boolean;
      readonly turn?: TurnWork;
    })
  /** Reminds a live agent of what it owes. Its outcome is news of the session (`sent`). */
  | (OfSession & { readonly do: 'nudge'; readonly turn: TurnWork })
  | (OfSession & { readonly do: 'stop-session' })
  /** Stops it, commits what it left, and gives its worktree back. */
  | (OfSession & { readonly do: 'pause-session' })
  | (OfSession & { readonly do: 'send-to-session'; readonly text: string })
  | RunEffect
  /** Takes the approved branch of a plan to where it should be, or tells how a person does. Result: `land`. */
  | { readonly id: string; readonly do: 'land'; readonly plan: PlanFile; readonly tip: string | null }
  /** Pins the plan's branch under a name of its generation and lets it go, so that the next run begins one from the base. */
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
  /** Makes the plan's branch where there is none, and the run's branch and worktree from its tip. Result: `worktree`. */
  | (OfRun & { readonly do: 'worktree' })
  /** Verifies that commit. Result: `verify`. */
  | (OfRun & { readonly do: 'verify'; readonly pin: string })
  /**
   * Squashes that commit into the plan's branch, which must be at `tip`; when it has moved to what this very effect would have
   * made, it was done before. Result: `merge`.
   */
  | (OfRun & { readonly do: 'merge'; readonly pin: string; readonly tip: string })
  /** Pins whatever the run has made, committed or not; then takes its worktree away, or lets it stand. */
  | (OfRun & { readonly do: 'keep'; readonly worktree: 'remove' | 'leave' })
  /** Pins what a reviewer has changed in the worktree, and puts the worktree back to that commit. */
  | (OfRun & { readonly do: 'undo'; readonly pin: string });

/** An effect before it is known which record will hold it. */
export type UnnumberedEffect = { [Kind in Effect['do']]: Omit<Extract<Effect, { do: Kind }>, 'id'> }[Effect['do']];

/** The effects of the record `seq`. */
export function numbered(seq: number, effects: readonly UnnumberedEffect[]): readonly Effect[] {
  return effects.map((effect, index) => ({ id: effectId(seq, index), ...effect }) as Effect);
}

export function effectId(seq: number, index: number): string {
  return `e${seq}.${index}`;
}
