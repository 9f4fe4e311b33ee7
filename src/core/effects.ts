// What a decision asks to be done in the world, as data. Each may be performed twice without harm.

import type { HostName } from './host.ts';
import type { Refused } from './refused.ts';

export type Effect =
  /** Brings a sentence before a person. */
  | { readonly id: string; readonly do: 'tell'; readonly text: string }
  /** Moves a refused signal aside, with its reason beside it. The particulars stand in the world's `refused`. */
  | { readonly id: string; readonly do: 'quarantine'; readonly quarantine: string }
  /** Puts a refused signal back where it came from, to be heard as if it were said now. */
  | { readonly id: string; readonly do: 'release'; readonly refused: Refused; readonly entered: number }
  /** Deletes a refused signal, at a person's word. */
  | { readonly id: string; readonly do: 'discard'; readonly refused: Refused }
  /** Makes the session's worktree and starts its program there, in its place. */
  | {
      readonly id: string;
      readonly do: 'start-session';
      readonly session: HostName;
      readonly prompt: string;
      readonly resume: boolean;
    }
  | { readonly id: string; readonly do: 'stop-session'; readonly session: HostName }
  /** Stops it, commits what it left, and gives its worktree back. */
  | { readonly id: string; readonly do: 'pause-session'; readonly session: HostName }
  | { readonly id: string; readonly do: 'send-to-session'; readonly session: HostName; readonly text: string };

export function effectId(seq: number, index: number): string {
  return `e${seq}.${index}`;
}
