// The person's editor, for texts that are too long for the command line.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from '../adapters/system/exec.ts';
import { Failure } from '../core/model/failure.ts';
import { splitCommand } from '../text/command-line.ts';
import { showText } from '../text/show.ts';

/** The text as it was saved; undefined where nobody is at a terminal. */
export async function editText(text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return undefined;
  const command = env.VISUAL || env.EDITOR || 'vi';
  const editor = splitCommand(command);
  if (editor === undefined)
    throw new Failure(
      'usage',
      'bad-program',
      `The editor "${showText(command)}" cannot be started: set EDITOR to a program with its arguments.`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'cadre-edit-'));
  try {
    const file = join(folder, 'text.md');
    writeFileSync(file, text);
    const code = await runHere([editor.program, ...editor.flags, file]);
    if (code !== 0)
      throw new Failure(
        'failed',
        'not-done',
        `The editor "${showText(command)}" exited with code ${code}. Nothing was changed.`,
      );
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
