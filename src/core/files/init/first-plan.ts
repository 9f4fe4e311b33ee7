// The plan that `cadre init` writes: small, harmless, and worth building in any project.
import type { PlanFile } from '../../../plan/name.ts';

export const FIRST_PLAN = 'first-plan.md' as PlanFile;

export const FIRST_PLAN_TEXT = `# A page for newcomers

**Goal:** Somebody who has just cloned this repository knows how to set it up, test it and find their way.

Change this plan into one of your own, or build it as it is: it adds a page, and touches no code.

## Phase 1: The page

### Task 1: How to set up and test

**Files:**
- Create: \`docs/getting-started.md\`

**Step 1: Find out how it is done**

Read the build files, and try the commands: what has to be installed, how to set the project up after cloning, how to run
it, and how to run its tests.

Run: \`git ls-files\`

**Step 2: Write the page and commit**

With commands that work as they are written. Leave out what does not apply.

Run: \`git commit --message "docs: how to set up and test"\`

### Task 2: Where things are

**Files:**
- Modify: \`docs/getting-started.md\`

**Step 1: Add a section and commit**

One line for each folder at the top of the repository: what it holds, and which file to read first.

Run: \`git commit --message "docs: where things are"\`
`;
