// Runs the verify command, and distinguishes failed work from a command that could not do its job.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setupCommand } from '../../core/files/setup-command.ts';
import { verifyCommand } from '../../core/files/verify-command.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type { Verifier, VerifyOutcome, VerifyRequest } from '../../core/ports/verifier.ts';
import { portVariables } from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { realPath } from '../git/real-path.ts';
import { type CommandEnd, commandRunner, type RunCommand } from '../system/command.ts';
import { projectFiles } from './project-files.ts';

export interface VerifierOptions {
  /** The main checkout. An agent can edit the files of a worktree, so these do not decide how a project is verified. */
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
      if (!existsSync(cwd)) return infrastructure(request, `The worktree ${showText(cwd)} is missing.`, '');
      const end = await runCommand({
        argv: command,
        cwd: realPath(cwd),
        env,
        given: portVariables(tree, portBase),
        output: outputOf(tree, request.name),
        patience,
        stop,
      });
      return outcomeOf(request, end);
    },
    command(configured) {
      const chosen = verifyCommand(configured, projectFiles(root));
      if (chosen.kind === 'problem') throw new Failure('environment', 'no-verify', chosen.why);
      return chosen;
    },
    setup(configured) {
      const chosen = setupCommand(configured, projectFiles(root));
      if (chosen.kind === 'problem') throw new Failure('environment', 'bad-setup', chosen.why);
      return chosen;
    },
  };
}

function outcomeOf(request: VerifyRequest, end: CommandEnd): VerifyOutcome {
  const noVerdict = (why: string): VerifyOutcome => infrastructure(request, why, end.tail);
  switch (end.kind) {
    case 'exited':
      if (end.exitCode === 0) return { kind: 'passed' };
      // Shells and `env` exit like this if the program is missing or not executable.
      if (end.exitCode === 126 || end.exitCode === 127)
        return noVerdict(`It exited with ${end.exitCode}, so a program that it needs could not be started.`);
      return { kind: 'failed', exitCode: end.exitCode, tail: end.tail };
    case 'killed':
      return noVerdict(`It was killed by ${end.signal}.`);
    case 'not-started':
      return noVerdict(`It could not be started: ${end.why}`);
    case 'too-long':
      return noVerdict(`It took longer than ${Math.round(request.patience / 1000)} s and was stopped.`);
    case 'stopped':
      return noVerdict('It was stopped.');
  }
}

function infrastructure({ command }: VerifyRequest, why: string, tail: string): VerifyOutcome {
  return {
    kind: 'infrastructure',
    why: `The verify command "${showText(command.join(' '))}" gave no result. ${why}`,
    tail,
  };
}
