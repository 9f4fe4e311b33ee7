// Sessions that do nothing, in either host, and how they end.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repoName } from '../dist/program.js';
import { MAIN } from './scratch.mjs';

/** A repository in which sessions can be started: their worktrees need a commit. */
export async function repoForSessions(scratch, name, host) {
  const repo = await scratch.repoWithPlans(name, 1);
  repo.env.CADRE_HOST = host;
  const somebody = ['-c', 'user.name=b', '-c', 'user.email=b@b'];
  execFileSync('git', [...somebody, 'commit', '-q', '--allow-empty', '-m', 'start'], { cwd: repo.root });
  return repo;
}

export async function startQuietSession(scratch, repo, title) {
  await scratch.run([MAIN, 'session', 'new', '-p', `sh -c 'read line'`, '--title', title], repo);
}

/** Runs `work`, and ends the sessions of the repository however it ends. */
export async function endingSessions(repo, work) {
  const end = () => endSessions(repo);
  process.prependOnceListener('exit', end);
  try {
    return await work();
  } finally {
    process.off('exit', end);
    end();
  }
}

function endSessions(repo) {
  try {
    tmux(repo, 'kill-server');
  } catch {
    // Its sessions are in the other host.
  }
  rmSync(`/tmp/tmux-${process.getuid()}/${serverOf(repo)}`, { force: true });
  const repos = join(repo.env.CADRE_HOME, 'repos');
  for (const file of readdirSync(repos, { recursive: true }).filter((name) => /\/sessions\/[^/]+\/holder$/.test(name)))
    try {
      process.kill(-Number(readFileSync(join(repos, file), 'utf8').split('\n')[0]), 'SIGKILL');
    } catch {
      // It has ended.
    }
}

export function tmux(repo, ...argv) {
  return execFileSync('tmux', ['-N', '-L', serverOf(repo), ...argv], { encoding: 'utf8', stdio: 'pipe' });
}

function serverOf({ root }) {
  return `cadre-${repoName(root).slice(-12)}`;
}
