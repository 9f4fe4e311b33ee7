// What was kept: how it is named, why it was kept, and as what it comes back.
import { describe, expect, test } from 'vitest';
import type { Performed } from '../../src/app/actions/action.ts';
import { perform } from '../../src/app/perform.ts';
import { keptNamed, readKept, readKeptDiff } from '../../src/app/reads/kept.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { BranchOutcome, Kept, KeptCommit, KeptFiles, KeptWork } from '../../src/core/ports/kept.ts';
import { type Fake, fakeApp } from '../support/app.ts';
import { act, ONE } from '../support/runs.ts';
import { NOW, PLAN, read, register, USER } from '../support/world.ts';

const AT = NOW.toISOString();

function pin(id: string, more: Partial<KeptCommit> = {}): KeptCommit {
  const [plan = '', part = ''] = id.split('/');
  const range = { from: 'b0', to: 'c1', merged: false };
  const pinned = { ref: `refs/cadre/keep/${id}`, commit: 'c1', isUncommitted: false, isElsewhere: false, range };
  return { kind: 'commit', id, plan, part, at: AT, why: null, files: 1, ...pinned, ...more };
}

const FILES: KeptFiles = {
  ...{ kind: 'files', id: 'x/t1-a1/ignored-1', plan: 'x', part: 't1-a1', at: AT, why: 'Git ignores them.' },
  files: 2,
  folder: '/home/runs/x/t1-a1/ignored/1',
};

interface Situation {
  readonly kept?: readonly Kept[];
  readonly events?: readonly Event[];
  readonly branch?: BranchOutcome;
  readonly hasWorktree?: boolean;
  /** Where the files go; undefined where something is in the way. */
  readonly folder?: string;
}

function appWith(situation: Situation): Fake & { readonly done: string[] } {
  const done: string[] = [];
  const kept: KeptWork = {
    list: async () => situation.kept ?? [pin('x/t1-a1/1')],
    async toBranch({ id }, branch) {
      done.push(`${id} to branch ${branch}`);
      return situation.branch ?? 'created';
    },
    async toWorktree({ id, ref }, { name }) {
      done.push(`${id} to worktree ${name}`);
      return { kind: 'restored', path: `/worktrees/${name}`, branch: `cadre/x/${name}`, ref };
    },
    hasWorktree: () => situation.hasWorktree ?? false,
    async toFolder({ id }, folder) {
      done.push(`${id} to folder ${folder}`);
      return situation.folder;
    },
  };
  return { ...fakeApp({ kept, events: situation.events ?? [] }), done };
}

/** A plan whose first task was launched. */
const LAUNCHED: readonly Event[] = [register(PLAN), read(ONE), { kind: 'run', plan: PLAN, by: USER }];

const restore = (app: Fake, on: string, input: { branch?: string; folder?: string } = {}): Promise<Performed> =>
  perform(app.ports, { do: 'restore', on, input });

describe('why it was kept', () => {
  test('is the reason that ended the run, where the journal has one', async () => {
    const app = appWith({ events: [...LAUNCHED, act('revert')] });
    const [entry] = await readKept(app.ports);
    expect(entry?.view).toMatchObject({
      plan: PLAN,
      task: '1',
      attempt: 1,
      why: 'A person reverted the task.',
      merged: false,
      missing: false,
    });
  });

  test('is what was noted, for what was pinned before the run ended', async () => {
    const before = pin('x/t1-a1/1', { at: '2026-01-01T00:00:00.000Z', why: 'Undone, back to b0.' });
    const app = appWith({ kept: [before], events: [...LAUNCHED, act('revert')] });
    expect((await readKept(app.ports))[0]?.view.why).toBe('Undone, back to b0.');
  });

  test('is not known for what an older cadre pinned in a plan that is gone', async () => {
    const app = appWith({ kept: [pin('gone/t3-a2/1')] });
    expect((await readKept(app.ports))[0]?.view).toMatchObject({ plan: 'gone.md', task: '3', attempt: 2, why: null });
  });
});

describe('a name', () => {
  const all = [pin('x/t1-a1/2'), pin('x/t1-a1/1'), FILES, pin('x/plan/1')];

  test.each([
    ['x/t1-a1/1', 'x/t1-a1/1'],
    ['refs/cadre/keep/x/t1-a1/1', 'x/t1-a1/1'],
    ['x/t1-a1', 'x/t1-a1/2'],
    ['x#1', 'x/t1-a1/2'],
    ['x/t1-a1/ignored-1', 'x/t1-a1/ignored-1'],
    ['x/plan', 'x/plan/1'],
  ])('"%s" means %s', async (name, id) => {
    const app = appWith({ kept: all, events: LAUNCHED });
    expect(keptNamed(await readKept(app.ports), name).view.id).toBe(id);
  });

  test.each(['#1', '1'])('"%s" means a task of the active plan', async (name) => {
    const app = appWith({ kept: all, events: LAUNCHED });
    expect(keptNamed(await readKept(app.ports), name, PLAN).view.id).toBe('x/t1-a1/2');
  });

  test.each(['', 'x', 'x#2', 'y#1', 'x/t1-a1/3', '../x', '#1'])(
    '"%s" means nothing, and that is said',
    async (name) => {
      const app = appWith({ kept: all, events: LAUNCHED });
      await expect(restore(app, name)).rejects.toMatchObject({ code: 'unknown-kept', try: [{ do: 'kept' }] });
      expect(app.done).toEqual([]);
    },
  );
});

describe('work of a run', () => {
  test('comes back as its worktree when the run is over and the worktree is gone', async () => {
    const app = appWith({ events: [...LAUNCHED, act('revert')] });
    app.submit(...doneEffects(app));
    expect(await restore(app, 'x/t1-a1/1')).toMatchObject({ restored: { kind: 'worktree', path: '/worktrees/t1-a1' } });
    expect(app.done).toEqual(['x/t1-a1/1 to worktree t1-a1']);
  });

  test.each<readonly [string, Situation]>([
    ['the run is not over', { events: LAUNCHED }],
    ['the engine has yet to clean up after it', { events: [...LAUNCHED, act('revert')] }],
    ['the worktree exists', { hasWorktree: true }],
    ['it is of a review', { kept: [pin('x/review/1')] }],
    ['it is a plan branch', { kept: [pin('x/plan/1')] }],
  ])('comes back as a branch when %s', async (_when, situation) => {
    const app = appWith(situation);
    const id = situation.kept?.[0]?.id ?? 'x/t1-a1/1';
    const branch = `restored/${id.replaceAll('/', '-')}`;
    expect(await restore(app, id)).toMatchObject({ kind: 'done', restored: { kind: 'branch', branch } });
    expect(app.done).toEqual([`${id} to branch ${branch}`]);
  });

  test('comes back as the branch that a person names', async () => {
    const app = appWith({});
    expect(await restore(app, 'x/t1-a1/1', { branch: 'mine' })).toMatchObject({ restored: { branch: 'mine' } });
  });

  test.each<readonly [string, Situation, { branch?: string; folder?: string }, string]>([
    ['the branch is elsewhere', { branch: 'taken' }, { branch: 'main' }, 'branch-exists'],
    ['git takes no such name', { branch: 'not-a-name' }, { branch: 'a..b' }, 'bad-branch'],
    ['git has lost it', { kept: [{ ...pin('x/t1-a1/1'), range: undefined }] }, {}, 'no-object'],
    ['it is wanted as a folder', {}, { folder: '/new' }, 'no-folder'],
  ])('is refused when %s', async (_when, situation, input, code) => {
    expect(await restore(appWith(situation), 'x/t1-a1/1', input)).toMatchObject({ kind: 'refused', code });
  });
});

describe('files', () => {
  test('are copied where a person wants them, and otherwise stay where they are', async () => {
    const app = appWith({ kept: [FILES], folder: '/new' });
    expect(await restore(app, FILES.id, { folder: 'new' })).toMatchObject({
      restored: { kind: 'files', folder: '/new' },
    });
    expect(await restore(app, FILES.id)).toMatchObject({ restored: { folder: FILES.folder, files: 2 } });
    expect(app.done).toEqual([`${FILES.id} to folder new`]);
  });

  test('are refused as a branch, as a diff, and where something is in the way', async () => {
    const app = appWith({ kept: [FILES] });
    expect(await restore(app, FILES.id, { folder: 'new' })).toMatchObject({ code: 'folder-exists' });
    expect(await restore(app, FILES.id, { branch: 'mine' })).toMatchObject({ code: 'no-folder' });
    expect(await readKeptDiff(app.ports, FILES.id)).toMatchObject({ code: 'no-diff' });
  });
});

/** The engine has done everything that was decided. */
function doneEffects(app: Fake): readonly Event[] {
  return [...app.world().outbox.keys()].map((effect) => ({ kind: 'effect-done', effect }));
}
