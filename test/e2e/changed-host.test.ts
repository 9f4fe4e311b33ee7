// The host setting changes while sessions run: they keep running where they are, and can be listed and reached there.
import { expect, test } from 'vitest';
import { isLive } from '../support/hosts.ts';
import { eventually, startEngine } from '../support/repo.ts';
import { clerkIn, heardBy, inSh, sessionRepo } from '../support/session-repo.ts';

test.each([
  ['tmux', 'process'],
  ['process', 'tmux'],
] as const)('from %s to %s', async (before, after) => {
  const repo = sessionRepo(before);
  const [clerk, other] = [await clerkIn(repo, 'clerk'), await clerkIn(repo, 'other')];
  repo.env.CADRE_HOST = after;
  await startEngine(repo);
  expect(repo.sessions().map(({ title, state }) => [title, state])).toEqual([
    ['clerk', 'running'],
    ['other', 'running'],
  ]);
  await repo.view('send', 'clerk', 'hello');
  await eventually(
    () => heardBy(clerk.report),
    (received) => received.includes('hello'),
  );
  const next = await repo.view('switch', 'clerk', '-p', inSh('exec sleep 60'));
  expect(next.state).toBe('running');
  expect(isLive(clerk.pid)).toBe(false);
  await repo.view('stop', 'other');
  expect(isLive(other.pid)).toBe(false);
});
