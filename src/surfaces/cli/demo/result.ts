// Shows what the demo has built, and reads from the journal and the repository what the claims are about.
import { quoteForShell } from '../../../text/shell.ts';
import { showLines } from '../../../text/show.ts';
import { quarantineLines } from '../text/quarantine-lines.ts';
import type { Demo } from './build.ts';
import type { DemoClaim, DemoOutcome } from './claims.ts';
import { PLAN_BRANCH } from './more-measures.ts';
import { heading, indented, type Print } from './print.ts';

export async function readOutcome({ playground, print, records, screen }: Demo): Promise<DemoOutcome> {
  const { app, folder } = playground;
  const result = `${folder}/result`;
  await playground.run(['git', 'worktree', 'add', '--quiet', '--detach', result, PLAN_BRANCH], app.root);
  const shown = async (...argv: readonly string[]) => {
    const ran = await playground.run(argv, result);
    print('', indented(`$ ${quoteForShell(argv)}`), ...showLines(ran.text).trimEnd().split('\n').map(indented));
    return ran;
  };
  print(...heading('The result: one commit for each task on the plan branch'));
  const log = await playground.run(['git', 'log', '--reverse', '--format=%s', `main..${PLAN_BRANCH}`], result);
  await shown('git', 'log', '--oneline', PLAN_BRANCH);
  await shown('node', 'src/main.js', 'longest', 'The longest word of this text');
  const tests = await playground.run(['node', '--test'], result);
  print('', indented('$ node --test'), ...countsIn(tests.text).map(indented));
  print(...heading('What was refused: cadre quarantine'), ...quarantineLines(await app.world()).map(indented));
  const commits = log.text.trim().split('\n');
  return { records, world: await app.world(), screen, commits, tests };
}

/** Node's test runner has two formats. */
function countsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:#|ℹ) (?:tests|pass|fail) \d/.test(line));
}

export interface CheckedClaim {
  readonly claim: string;
  readonly holds: boolean;
}

/** Checks the journal and the repository, not what was printed. */
export function checkClaims<Of>(print: Print, outcome: Of, claims: readonly DemoClaim<Of>[]): readonly CheckedClaim[] {
  const results = claims.map(({ claim, holds }) => ({ claim, holds: holds(outcome) }));
  print(...heading('What had to happen, checked in the journal and the repository'));
  print(...results.map(({ claim, holds }) => `   ${holds ? 'ok     ' : 'FAILED '} ${claim}`));
  return results;
}
