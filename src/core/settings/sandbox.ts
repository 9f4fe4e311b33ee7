// The setting `sandbox`: what runs behind a wall, and what it can reach there.

/** `auto`: behind a wall where there is one. `required`: behind a wall, or not at all. */
export type Wanted = 'off' | 'auto' | 'required';

export interface SandboxSettings {
  /** The setup and verify commands. */
  readonly commands: Wanted;
  /** The programs of agents, unless the profile says otherwise. */
  readonly agents: Wanted;
  readonly network: 'all' | 'none';
  /** More paths that can be read, or written. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Names of more environment variables that are passed on. */
  readonly env: readonly string[];
}

export const SANDBOX: SandboxSettings = {
  commands: 'off',
  agents: 'off',
  network: 'all',
  read: [],
  write: [],
  env: [],
};

/** The wall that is in force. */
export type WallInForce =
  | { readonly wanted: 'auto' | 'required'; readonly wall: 'bubblewrap' }
  /** `why`: why there is none. */
  | { readonly wanted: 'auto' | 'required'; readonly wall: null; readonly why: string };

/** Who can be behind one. */
export interface Walls {
  readonly commandWall?: WallInForce | undefined;
  readonly agentWall?: WallInForce | undefined;
}

/** A sentence part for each wall that is wanted. */
export function wallWords({ commandWall, agentWall }: Walls): readonly string[] {
  return [
    ...(commandWall === undefined ? [] : [wordsOf('setup and verify commands', commandWall)]),
    ...(agentWall === undefined ? [] : [wordsOf('agents', agentWall)]),
  ];
}

/** The same for those that are wanted and not there. */
export function missingWallWords(walls: Walls): readonly string[] {
  const isMissing = (wall: WallInForce | undefined): boolean => wall?.wall === null;
  return wallWords({
    commandWall: isMissing(walls.commandWall) ? walls.commandWall : undefined,
    agentWall: isMissing(walls.agentWall) ? walls.agentWall : undefined,
  });
}

function wordsOf(who: string, inForce: WallInForce): string {
  if (inForce.wall !== null) return `${who} run behind a wall (${inForce.wall})`;
  return inForce.wanted === 'required'
    ? `${who} do not run, because they need a wall and there is none: ${inForce.why}`
    : `${who} run without a wall: ${inForce.why}`;
}
