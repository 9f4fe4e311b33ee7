// What `cadre init` writes: sections that can be written again and removed, and that leave what somebody has edited alone.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INSTRUCTION_PARTS, signalsOf } from '../../../../src/agents/prompts/role-instructions.ts';
import { FIRST_PLAN_TEXT } from '../../../../src/core/files/init/first-plan.ts';
import { everyWish, wishesFor } from '../../../../src/core/files/init/init-files.ts';
import { changeFor, removalOf, type Wish } from '../../../../src/core/files/init/wishes.ts';
import { advise } from '../../../../src/plan/lint.ts';
import { parse } from '../../../../src/plan/parse.ts';
import { decodeSentinel, SENTINEL_WORDS, userOnlyWords } from '../../../../src/signals/sentinel.ts';

const SETTINGS = { base_branch: 'main', verify: 'npm test' };
const SITUATION = { settings: SETTINGS, programs: ['gemini', 'aider'], hasPlans: false, ignored: ['node_modules/'] };

type Files = Readonly<Record<string, string>>;

function written(files: Files, wishes: readonly Wish[] = wishesFor(SITUATION)): Files {
  return applied(
    files,
    wishes.map((wish) => changeFor(wish, (path) => files[path])),
  );
}

function removed(files: Files): Files {
  return applied(
    files,
    everyWish(SETTINGS, ['node_modules/']).flatMap((wish) => removalOf(wish, (path) => files[path]) ?? []),
  );
}

function applied(files: Files, changes: readonly { path: string; does: string; text?: string }[]): Files {
  const after: Record<string, string> = { ...files };
  for (const { path, does, text } of changes) {
    if (text !== undefined) after[path] = text;
    if (does === 'remove') delete after[path];
  }
  return after;
}

const changeOf = (files: Files, path: string) =>
  wishesFor(SITUATION).flatMap((wish) => (wish.path === path ? [changeFor(wish, (one) => files[one])] : []))[0];

describe('written a second time', () => {
  test('nothing changes', () => {
    const once = written({});
    expect(written(once)).toEqual(once);
    expect(wishesFor(SITUATION).map((wish) => changeFor(wish, (path) => once[path]).does)).not.toContain('change');
  });

  test('a section that somebody has edited is kept, and another file is not', () => {
    const once = written({});
    const edited = { ...once, 'AGENTS.md': `${once['AGENTS.md']}`.replace('cadre owns', 'I own') };
    expect(changeOf(edited, 'AGENTS.md')).toMatchObject({
      does: 'keep',
      why: 'somebody has edited the section of cadre',
    });
    expect(written(edited)).toEqual(edited);
  });

  test('an older section is replaced in its place', () => {
    const older: Wish = { kind: 'section', path: 'AGENTS.md', head: '', body: 'Old text.', why: '' };
    const files = written({ 'AGENTS.md': '# Mine\n' }, [older]);
    const text = written({ 'AGENTS.md': `${files['AGENTS.md']}\n## Below\n` })['AGENTS.md'] ?? '';
    expect(text).toMatch(/^# Mine\n\n<!-- cadre:begin [\s\S]*<!-- cadre:end -->\n\n## Below\n$/);
    expect(text).not.toContain('Old text.');
  });
});

describe('text of the person', () => {
  test('stays before and after the section, and is all that is left after a removal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (own) => {
        fc.pre(!own.includes('cadre:') && !own.includes('plan-state.json') && own.trim() !== '' && !own.includes('\r'));
        const after = written({ 'AGENTS.md': own });
        expect(after['AGENTS.md']?.startsWith(own)).toBe(true);
        expect(removed(after)['AGENTS.md']?.trim()).toBe(own.trim());
      }),
    );
  });

  test('in cadre.json, in a plan and in .gitignore is not touched', () => {
    const own = { 'cadre.json': '{}', '.gitignore': 'dist', 'docs/plans/first-plan.md': '# Mine\n' };
    const after = written(own);
    expect(after).toMatchObject({ 'cadre.json': '{}', 'docs/plans/first-plan.md': '# Mine\n' });
    expect(after['.gitignore']).toMatch(/^dist\ndocs\/plans\/\.signals\/\n/);
    expect(removed(after)).toEqual({ ...own, '.gitignore': 'dist\n' });
  });

  test('that has agents write plan-state.json is replaced', () => {
    const own = '# Coder\n\n## Plan state\n\nSet the status in plan-state.json to done.\n\n## Style\n\nTabs.\n';
    const path = '.opencode/agents/coder.md';
    const after = written({ [path]: own })[path] ?? '';
    expect(after).not.toContain('Set the status');
    expect(after).toContain('## Style\n\nTabs.\n');
    expect(after).toContain('implement-finished-<planfile>');
    expect(changeOf({ [path]: own }, path)?.why).toContain('instead of a section about plan-state.json');
  });

  test('that forbids it stays', () => {
    const own = '# Coder\n\n## Plan state\n\nNever write plan-state.json.\n';
    expect(written({ '.opencode/agents/coder.md': own })['.opencode/agents/coder.md']).toContain('Never write');
  });
});

test('a removal leaves none of it', () => {
  expect(removed(written({}))).toEqual({});
});

test('every signal that an instruction names is one that cadre reads, and none is for persons only', () => {
  const texts = Object.values(written({})).join('\n');
  const names = [...texts.matchAll(/\.signals\/([\w-]+)-<planfile>/g)].map(([, name = '']) => name);
  expect(new Set(names)).toEqual(new Set(SENTINEL_WORDS.filter((word) => !userOnlyWords().includes(word))));
  for (const name of names)
    expect(decodeSentinel(`${name}-2026-11-16-search.md`)).toMatchObject({
      kind: 'signal',
      plan: '2026-11-16-search.md',
    });
});

test.each(INSTRUCTION_PARTS)(
  'the instructions of the %s name its signals, and whose file plan-state.json is',
  (part) => {
    const files = written({});
    for (const path of [`.claude/agents/${part}.md`, `.opencode/agents/${part}.md`]) {
      const text = files[path] ?? '';
      for (const { name } of signalsOf(part)) expect(text).toContain(`docs/plans/.signals/${name}-<planfile>`);
      expect(text).toContain('**Never modify plan-state.json directly.** cadre owns that file.');
      expect(text).toMatch(/^---\nname: \w+\ndescription: .+\n---\n/);
    }
  },
);

test('nothing is wrong with the first plan', () => {
  const { plan, problems } = parse(FIRST_PLAN_TEXT);
  expect([...problems, ...advise(plan)]).toEqual([]);
});
