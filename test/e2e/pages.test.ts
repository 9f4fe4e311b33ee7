// The tutorial and the screen in docs/runs.md are real: their commands are run and print what the pages show.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { Ids, masked, renderPage, type Shell, shellIn, writeBelow } from '../support/console-page.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { eventually, MAIN } from '../support/repo.ts';

/** Where the reader of a page works. */
const READERS_HOME = '/home/ada';

test('the tutorial shows what its commands print', { timeout: 170_000 }, async () => {
  const repo = planRepo();
  await expectFresh('docs/tutorial.md', readerAt(repo, repo.outside));
});

test('docs/runs.md shows a plan that is being built as "cadre status" shows it', { timeout: 170_000 }, async () => {
  const repo = planRepo({ plan: SEARCH });
  repo.git('mv', 'docs/plans/build-it.md', 'docs/plans/search.md');
  repo.git('commit', '-qm', 'A plan');
  const shell = readerAt(repo, repo.root);
  void repo.start('run', 'search');
  await shell.until(/4 +Command line.*owner quality-reviewer[\s\S]*working/);
  await shell.until(/Question: Should matches/);
  await expectFresh('docs/runs.md', shell);
});

const SEARCH = `# Search

## Phase 1: Index

### Task 1: Tokenizer

### Task 2: Index on disk

## Phase 2: Search (parallel)

### Task 3: Ranking

\`\`\`script
role implementer
ask Should matches in titles count more than matches in the text?
\`\`\`

### Task 4: Command line

\`\`\`script
role quality-reviewer
busy
hang
\`\`\`

## Phase 3: Documentation

### Task 5: Manual page
`;

/** Commands as a person types them at a terminal, in a folder beside the repository of the test. */
function readerAt(repo: PlanRepo, start: string): Shell {
  const cadre = `${repo.at('bin')}/cadre`;
  writeFileSync(cadre, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(cadre, 0o755);
  const env = { ...repo.env, GIT_CONFIG_GLOBAL: repo.at('gitconfig') };
  writeFileSync(repo.at('gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  const shell = shellIn({ path: start, env });
  onTestFinished(() => void shell.run('cadre engine stop'));
  const ids = new Ids();
  const shown = (output: string): string =>
    ids.hide(output.replaceAll(repo.home, `${READERS_HOME}/.cadre`).replaceAll(repo.outside, READERS_HOME));
  return {
    async run(command) {
      // What is being built is shown as text at a terminal only.
      if (!/^cadre run \w+$/.test(command)) return shown(shell.run(ids.fill(command)));
      const { stdout, stderr } = await atTerminal({ ...repo, root: shell.cwd(), env }, ...command.split(' ').slice(1));
      return shown(stdout + stderr);
    },
    write: (path, text) => writeBelow(shell.cwd(), path, text),
    until: async (pattern) =>
      void (await eventually(
        () => shell.run('cadre status'),
        (seen) => pattern.test(seen),
        60_000,
      )),
  };
}

/** "UPDATE_GOLDEN=1 npx vitest run --project real test/e2e/pages.test.ts" writes the pages again; read the difference. */
async function expectFresh(path: string, shell: Shell): Promise<void> {
  const page = readFileSync(path, 'utf8');
  const fresh = await renderPage(page, shell);
  // Times and commits alone are no reason to change a page.
  if (process.env.UPDATE_GOLDEN && masked(fresh) !== masked(page)) writeFileSync(path, fresh);
  else expect(masked(fresh)).toBe(masked(page));
}
