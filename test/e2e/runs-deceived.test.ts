// Agents that try to deceive or take over cadre's git: what is verified, reviewed and merged is the commit, and nothing that
// they plant speaks for the person.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { PLAN, PLAN_BRANCH, planRepo, tasksOf } from '../support/plan-runs.ts';
import { inSh, sessionRepo } from '../support/session-repo.ts';

/** The folder that contains the repository, as seen from the worktree of a run. */
const OUTSIDE = '../../../../../..';

const REVIEWS = ['spec-reviewer', 'quality-reviewer'].map((role) => `role ${role}\nsignal review-approved`).join('\n');

test('a commit that is replaced during its review is merged as it was verified', async () => {
  const repo = planRepo({
    plan: tasksOf([
      `role implementer
       append made.txt made
       commit made
       signal implement-finished
       role spec-reviewer
       run sh ${OUTSIDE}/replace.sh
       signal review-approved`,
    ]),
  });
  repo.script(
    'replace.sh',
    `[ ! -e "$HOME/replaced" ] || exit 0
     pin=$(git rev-parse HEAD)
     blob=$(echo evil | git hash-object -w --stdin)
     tree=$({ git ls-tree HEAD; printf '100644 blob %s\\tevil.txt\\n' "$blob"; } | git mktree)
     git replace -f "$pin" "$(git commit-tree "$tree" -p HEAD^ -m evil)"
     git read-tree -m -u HEAD
     touch "$HOME/replaced"`,
  );
  await repo.built();
  expect(existsSync(repo.at('replaced'))).toBe(true);
  const merged = repo.git('--no-replace-objects', 'ls-tree', '--name-only', PLAN_BRANCH).trim().split('\n');
  expect(merged).toContain('made.txt');
  expect(merged).not.toContain('evil.txt');
});

describe('a good file over a bad commit', () => {
  const HIDING = {
    'skip-worktree': 'git update-index --skip-worktree checked.txt',
    'assume-unchanged': 'git update-index --assume-unchanged checked.txt',
  };
  for (const [how, hide] of Object.entries(HIDING))
    test(`does not pass verification, although git calls the worktree clean (${how})`, async () => {
      const repo = planRepo({
        settings: { verify: ['grep', '-q', 'good', 'checked.txt'] },
        files: { 'checked.txt': 'good\n' },
        plan: tasksOf([
          `role implementer
           edit checked.txt bad
           commit bad
           run sh ${OUTSIDE}/hide.sh
           edit checked.txt good
           run sh ${OUTSIDE}/status.sh
           signal implement-finished
           hang
           ${REVIEWS}`,
        ]),
      });
      repo.script('hide.sh', hide);
      repo.script('status.sh', 'git status --porcelain >"$HOME/status"; touch "$HOME/hidden"');
      void repo.run();
      const { fixing } = await repo.reaches('1', 'FIXING');
      expect(textOf(repo.at('status'))).toBe('');
      expect(fixing).toMatchObject({ reason: 'test_failure' });
      expect(JSON.stringify(repo.records())).toContain('Before verification, checked.txt differed from the commit');
    });
});

describe('while a commit is verified', () => {
  const VERIFY = 'touch "$HOME/verifying"; sleep 1; [ ! -e checked.txt ] || grep -q good checked.txt';

  test('its agent no longer runs, so it cannot exchange a file for that time', async () => {
    const repo = planRepo({
      settings: { verify: ['sh', 'verify.sh'] },
      files: { 'verify.sh': `${VERIFY}\n` },
      plan: tasksOf([
        `role implementer
         edit checked.txt bad
         commit bad
         run rm -f ${OUTSIDE}/verifying
         run sh ${OUTSIDE}/exchange.sh
         signal implement-finished
         hang`,
      ]),
    });
    const exchange = 'until [ -e "$HOME/verifying" ]; do sleep 0.05; done; echo good >checked.txt';
    repo.script('exchange.sh', `(${exchange}) >/dev/null 2>&1 &`);
    void repo.run();
    const { fixing } = await repo.reaches('1', 'FIXING');
    expect(fixing).toMatchObject({ reason: 'test_failure' });
  });
});

test('a repository inside the worktree is not verified in place of files that the commit does not have', async () => {
  const repo = planRepo({
    settings: { verify: ['sh', 'verify.sh'] },
    files: { 'verify.sh': '[ ! -e library ] || grep -q good library/file\n' },
    plan: tasksOf([
      `role implementer
       run sh ${OUTSIDE}/nest.sh
       commit nested
       signal implement-finished
       hang`,
    ]),
  });
  repo.script(
    'nest.sh',
    `[ ! -e library ] || exit 0
     git init -q library && cd library && echo good >file && git add file
     git -c user.name=a -c user.email=a@a commit -q -m nested`,
  );
  void repo.run();
  const { fixing } = await repo.reaches('1', 'FIXING');
  expect(fixing).toMatchObject({
    reason: 'test_failure',
    text: expect.stringContaining('library is a separate repository'),
  });
});

test('a tag with the name of the plan branch is not what a person is advised to merge', async () => {
  const repo = planRepo({
    plan: tasksOf([
      `role implementer\nappend made.txt made\ncommit made\nrun sh ${OUTSIDE}/tag.sh\nsignal implement-finished`,
    ]),
  });
  repo.script(
    'tag.sh',
    `echo evil >evil.txt && git add evil.txt
     evil=$(git -c user.name=a -c user.email=a@a commit-tree "$(git write-tree)" -p HEAD -m evil)
     git rm -qf evil.txt && git tag ${PLAN_BRANCH} "$evil"`,
  );
  const { stdout } = await repo.built();
  const [, advice = ''] = /git merge ([^" ]+)/.exec(stdout) ?? [];
  repo.git('merge', '-q', advice);
  expect(existsSync(join(repo.root, 'made.txt'))).toBe(true);
  expect(existsSync(join(repo.root, 'evil.txt'))).toBe(false);
  expect(repo.cadre('why', PLAN).stdout).toContain(`refs/tags/${PLAN_BRANCH}`);
});

test('a filter and a merge driver in the configuration do not run, and do not speak for the person', async () => {
  const repo = planRepo({
    plan: tasksOf(
      [1, 2].map(
        (task) => `role implementer
           run sh ${OUTSIDE}/plant.sh ${task}
           run git commit -q -m made
           signal implement-finished
           ${REVIEWS}`,
      ),
      'parallel',
    ),
    files: { 'shared.txt': 'one\ntwo\nthree\nfour\nfive\n' },
  });
  repo.script(
    'plant.sh',
    `git config filter.e.clean "sh $HOME/evil.sh"
     git config filter.e.smudge "sh $HOME/evil.sh"
     git config merge.e.driver "sh $HOME/evil.sh %A"
     mkdir -p "$HOME/repo/.git/info"
     echo '* filter=e merge=e' >"$HOME/repo/.git/info/attributes"
     if [ "$1" = 1 ]; then sed -i 's/one/1/' shared.txt; else sed -i 's/five/5/' shared.txt; fi
     git -c filter.e.clean=cat add --all`,
  );
  repo.script('evil.sh', `[ -n "$CADRE_ROLE" ] || { env; cadre move ${PLAN} cancel; } >>"$HOME/canary" 2>&1; cat`);
  await repo.built();
  expect(existsSync(repo.at('canary'))).toBe(false);
  expect(repo.plan().status).toBe('done');
  expect(repo.git('show', `${PLAN_BRANCH}:shared.txt`)).toBe('1\ntwo\nthree\nfour\n5\n');
});

describe('a session that changes how its worktree is linked to the repository is not paused, and nothing in it runs:', () => {
  const REDIRECTIONS = {
    '.git': 'echo "gitdir: ./.e" >.git',
    commondir: 'echo "$PWD/.e" >"$(git rev-parse --git-dir)/commondir"',
  };
  for (const [file, redirect] of Object.entries(REDIRECTIONS))
    test(file, async () => {
      const repo = sessionRepo('process');
      const script = `
        mkdir .e && cp -R "$(git rev-parse --git-common-dir)/." .e/
        git --git-dir=.e config filter.e.clean "touch $HOME/canary; cat"
        echo '* filter=e' >.gitattributes; echo x >file
        ${redirect}
        touch "$HOME/ready"; exec sleep 600`;
      const { session } = await repo.view('new', '--title', 'evil', '-p', inSh(script));
      await expect.poll(() => existsSync(join(repo.outside, 'ready'))).toBe(true);
      const paused = await repo.session('pause', session);
      expect(existsSync(join(repo.outside, 'canary'))).toBe(false);
      expect(paused.code).not.toBe(0);
      expect(`${paused.stdout}${paused.stderr}`).toContain(`${file} was changed: it says`);
      expect(readFileSync(join(repo.worktreeOf(session), 'file'), 'utf8')).toBe('x\n');
    });
});
