// The words of the settings for what an agent may do without asking, and what each means for each program.
import { splitCommand } from '../text/command-line.ts';

export const PERMISSIONS = ['ask', 'edits', 'all'] as const;

export type Permissions = (typeof PERMISSIONS)[number];

/** What a profile allows. What is missing is at its default: `edits`, and no more commands. */
export interface Grants {
  readonly permissions?: Permissions;
  /** Commands as typed; one that ends in " *" may have any further arguments. */
  readonly allow?: readonly string[];
}

/** For docs/config.md: what each word means, whatever the program. */
export const MEANINGS: Readonly<Record<Permissions | 'allow', string>> = {
  ask: 'It asks before every edit and every command, except those with which it talks to cadre.',
  edits: 'It edits files in its worktree, adds and commits, and runs the verify command; it asks before anything else.',
  all: 'It never asks. What it can reach, it can change or delete: use it only inside a sandbox or a container.',
  allow: 'More commands that it runs without asking.',
};

/** The same for each program: which of its own settings cadre uses. */
export const IN_PROGRAMS: Readonly<Record<string, Readonly<Record<Permissions | 'allow', string>>>> = {
  claude: {
    ask: '`--permission-mode default`',
    edits: '`--permission-mode acceptEdits`, and a list of allowed commands',
    all: '`--permission-mode bypassPermissions`; it refuses that for root outside of a sandbox',
    allow: '`Bash(...)` rules in the settings file of the session',
  },
  codex: {
    ask: '`-a untrusted`; its sandbox is the worktree',
    edits: '`-a on-request`; its sandbox is the worktree',
    all: '`-a never`; its sandbox is still the worktree. Add the flags `-s danger-full-access` to leave it',
    allow: 'has no effect: it has no list of commands',
  },
  gemini: {
    ask: '`--approval-mode default`',
    edits: '`--approval-mode auto_edit`, and a policy file',
    all: '`--approval-mode yolo`',
    allow: 'rules in the policy file of the session',
  },
  opencode: {
    ask: '`edit: ask`, `bash: ask`',
    edits: '`edit: allow`, and a list of allowed commands',
    all: '`edit`, `bash` and `external_directory`: `allow`',
    allow: 'entries below `bash`',
  },
  aider: {
    ask: 'the same as edits: it runs no commands, and edits are what it is for',
    edits: '`--yes-always`, without commands',
    all: 'the same as edits',
    allow: 'has no effect: it runs no commands',
  },
};

export interface AllowedCommand {
  /** As typed in a shell. */
  readonly text: string;
  /** Whether further arguments may follow. */
  readonly open: boolean;
}

/**
 * Without characters that some program reads as a pattern, the end of a rule or the start of the next one. A command that
 * contains one would allow other commands too, so it gets no rule, and the program asks.
 */
export function isLiteral(text: string): boolean {
  return !/[*?,()[\]{}\\]|\p{C}/u.test(text);
}

export function allowedByProfile(typed: string): AllowedCommand {
  const open = typed.endsWith(' *');
  return { text: (open ? typed.slice(0, -2) : typed).trim(), open };
}

/** Whether a rule for this command would allow that command and no other. */
export function canBeAllowed(typed: string): boolean {
  const { text } = allowedByProfile(typed);
  return isLiteral(text) && !/[;&|<>$`#!\n]/.test(text) && splitCommand(text) !== undefined;
}
