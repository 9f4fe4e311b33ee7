// The verify command, run by the engine itself: what it says about the work, and what only about the machine.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { verifyCommand } from '../../core/files/verify-command.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type { Verifier, VerifyOutcome, VerifyRequest } from '../../core/ports/verifier.ts';
import { portVariables } from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { realPath } from '../git/git-worktrees.ts';
import { type CommandEnd, commandRunner, type RunCommand } from '../system/command.ts';

export interface VerifierOptions {
  /** The main checkout: how a project is verified is not for a worktree's files to say. */
  readonly root: string;
  readonly worktrees: string;
  readonly runs: string;
  readonly env: NodeJS.ProcessEnv;
  readonly runCommand?: RunCommand;
}

export function verifier({ root, worktrees, runs, env, runCommand = commandRunner() }: VerifierOptions): Verifier {
  const outputOf = ({ plan, name }: Tree, which: string): string => join(runs, slugOf(plan), name, `${which}.log`);
  return {
    outputOf,
    async verify(request) {
      const { tree, portBase, command, patience, stop } = request;
      const cwd = join(worktrees, slugOf(tree.plan), tree.name);
      if (!existsSync(cwd)) return infrastructure(request, `the worktree ${showText(cwd)} is gone.`, '');
      const end = await runCommand({
        argv: command,
        cwd: realPath(cwd),
        env,
        given: portVariables(tree, portBase),
        output: outputOf(tree, request.name),
        patience,
        stop,
      });
      return judge(request, end);
    },
    command(configured) {
      const chosen = verifyCommand(configured, filesIn(root));
      if (chosen.kind === 'problem') throw new Failure('environment', 'no-verify', chosen.why);
      return chosen;
    },
  };
}

function judge(request: VerifyRequest, end: CommandEnd): VerifyOutcome {
  const nothingSaid = (why: string): VerifyOutcome => infrastructure(request, why, end.tail);
  switch (end.kind) {
    case 'exited':
      if (end.exitCode === 0) return { kind: 'passed' };
      // A shell and "env" say it so when the program that they should start is not there, or is none.
      if (end.exitCode === 126 || end.exitCode === 127)
        return nothingSaid(`it ended with exit code ${end.exitCode}, so a program that it needs could not be started.`);
      return { kind: 'failed', exitCode: end.exitCode, tail: end.tail };
    case 'killed':
      return nothingSaid(`it was ended by ${end.signal}.`);
    case 'not-started':
      return nothingSaid(`it could not be started: ${end.why}`);
    case 'too-long':
      return nothingSaid(`it took longer than ${Math.round(request.patience / 1000)} s and was stopped.`);
    case 'stopped':
      return nothingSaid('it was stopped.');
  }
}

function infrastructure({ command }: VerifyRequest, why: string, tail: string): VerifyOutcome {
  return { kind: 'infrastructure', why: `"${showText(command.join(' '))}" says nothing about the work: ${why}`, tail };
}

/** Larger files are nobody's settings. */
const LARGEST = 1024 * 1024;

function filesIn(root: string) {
  const facts = (name: string) => statSync(join(root, name), { throwIfNoEntry: false });
  return {
    has: (name: string) => facts(name)?.isFile() ?? false,
    text(name: string) {
      const its = facts(name);
      return its?.isFile() && its.size <= LARGEST ? readFileSync(join(root, name), 'utf8') : undefined;
    },
  };
}
