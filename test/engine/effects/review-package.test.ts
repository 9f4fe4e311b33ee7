// The package of a reviewer: commits, files and changes of the pinned commit, made from what git says about it.
import { expect, test } from 'vitest';
import { Failure } from '../../../src/core/model/failure.ts';
import { type PackagePorts, planPackage, runPackage } from '../../../src/engine/effects/review-package.ts';
import { at, planIn, runIn } from '../../support/runs.ts';

const CHANGES: PackagePorts = {
  between: async (onto, to) => ({ from: `base of ${onto}`, to, merged: false }),
  commits: async ({ from, to }) => [{ commit: to, at: '', author: 'Ada', subject: `from ${from}` }],
  text: async ({ from, to }, form) => `${form} ${from}..${to}\n+ \`\`\`\`js`,
};

const WORLD = at('CODE_REVIEW spec');
const RUN = runIn(WORLD);
const ENTRY = planIn(WORLD);

test('is about the pinned commit and the tip in the journal, wherever the branches are now', async () => {
  const { whole = '', since } = (await runPackage(CHANGES, ENTRY, RUN)) ?? {};
  expect(whole).toContain('# Changes up to commit c1');
  expect(whole).toContain('- c1 from base of b0');
  expect(whole).toContain('stat base of b0..c1');
  expect(whole).toContain('review base of b0..c1');
  expect(since).toBeNull();
});

test('has the changes since the last review in a file of their own', async () => {
  const again = { ...RUN, pinned: 'c2', asked: { by: 'spec-reviewer', text: 'no', commit: 'c1' } } as const;
  const { whole, since } = (await runPackage(CHANGES, ENTRY, again)) ?? {};
  expect(since).toContain('Since the last review, which was of commit c1.');
  expect(since).toContain('review c1..c2');
  expect(since).not.toContain('b0');
  expect(whole).toContain('review base of b0..c2');
});

test('knows for each stage which commit was reviewed last', async () => {
  const again = { ...RUN, pinned: 'c3', looked: { spec: 'c1', quality: 'c2' } } as const;
  expect((await runPackage(CHANGES, ENTRY, again))?.since).toContain('review c1..c3');
  expect((await runPackage(CHANGES, ENTRY, { ...again, stage: 'quality' }))?.since).toContain('review c2..c3');
  expect((await runPackage(CHANGES, ENTRY, { ...again, looked: { quality: 'c2' } }))?.since).toBeNull();
});

test('has no changes since a review of the same commit', async () => {
  const same = { ...RUN, asked: { by: 'spec-reviewer', text: 'no', commit: 'c1' } } as const;
  expect((await runPackage(CHANGES, ENTRY, same))?.since).toBeNull();
});

test('has fences that nothing in the changes can close', async () => {
  expect((await runPackage(CHANGES, ENTRY, RUN))?.whole).toContain('\n`````diff\n');
});

test('of a whole plan is everything since its base, up to the commit under review', async () => {
  const { whole } = (await planPackage(CHANGES, planIn(WORLD), 'c9')) ?? {};
  expect(whole).toContain(`review base of ${ENTRY.work?.base?.commit}..c9`);
});

test('is missing where git cannot say, or nothing is pinned', async () => {
  const failing = { ...CHANGES, text: () => Promise.reject(new Failure('failed', 'no-object', 'gone')) };
  expect(await runPackage(failing, ENTRY, RUN)).toBeUndefined();
  expect(await planPackage(failing, planIn(WORLD), 'c9')).toBeUndefined();
  expect(await runPackage(CHANGES, ENTRY, { ...RUN, pinned: null })).toBeUndefined();
});
