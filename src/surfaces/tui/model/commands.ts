// What the interface wants done outside of itself. Only the loop does it; nothing here waits.
import type { Call } from '../../../app/perform.ts';
import type { ActionName } from '../../../core/model/suggestion.ts';

export type AnyCall = { readonly [name in ActionName]: Call<name> }[ActionName];

export type Command =
  | { readonly do: 'perform'; readonly call: AnyCall }
  /** A line as it is typed at the command line of cadre, without "cadre". */
  | { readonly do: 'line'; readonly text: string }
  | { readonly do: 'attach'; readonly session: string }
  /** Opens the person's editor with the text; what is saved comes back as a message. */
  | { readonly do: 'edit'; readonly text: string }
  /** The answer to a question that a command has asked. */
  | { readonly do: 'reply'; readonly yes: boolean }
  | { readonly do: 'copy'; readonly text: string }
  /** Shows cadre in another repository until the person quits there. */
  | { readonly do: 'visit'; readonly root: string }
  | { readonly do: 'suspend' | 'redraw' | 'quit' };

export function perform(call: AnyCall): Command {
  return { do: 'perform', call };
}
