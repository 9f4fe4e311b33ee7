// Where a planner writes the document of a round before it hands it in.

/** Below the planner's worktree. cadre leaves dotfiles among the sentinels alone, and git ignores the folder. */
export const DOCUMENT_FILE = 'docs/plans/.signals/.round.json';
