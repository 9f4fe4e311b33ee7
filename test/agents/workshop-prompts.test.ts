// The prompts of the planner in a workshop: golden texts for reviewers to read, and what every one of them says.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Assignment, KeptText } from '../../src/agents/prompts/assignment.ts';
import { promptText } from '../../src/agents/prompts/prompt.ts';
import { planInWorkshop, type WorkshopTurn } from '../../src/agents/prompts/workshop.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { HEURISTICS } from '../../src/workshop/heuristics.ts';
import { PLANNING_OUTLINE, ROUND_OUTLINE } from '../../src/workshop/outlines.ts';

const ASSIGNMENT: Assignment = {
  plan: '2026-01-02-search.md' as PlanFile,
  title: 'Notes can be searched',
  says: { all: null, goal: null, architecture: null, techStack: null, constraints: null },
  brief: null,
  rewrites: [],
  worktree: '/home/ada/.cadre/worktrees/search/planning',
  branch: 'plan/2026-01-02-search',
  base: '1a2b3c4',
  into: 'plan/2026-01-02-search',
  verify: ['npm', 'test'],
  cadre: ['cadre'],
};

function kept(name: string, text: string): KeptText {
  return { text, path: `/home/ada/.cadre/runs/search/planning/${name}.md` };
}

const FIRST: WorkshopTurn = {
  state: 'clarifying',
  round: 1,
  brief: kept('brief', 'Notes can be searched by word.'),
  repository: '- Files: 12\n- Folders: `src/` 9, `top level` 3',
  proposals: null,
  transcript: kept(
    'transcript',
    '{"round":0,"actor":"person","kind":"brief","content":"Notes can be searched by word."}\n',
  ),
  answers: null,
  feedback: null,
  before: null,
  violations: [],
};

const LATER: WorkshopTurn = {
  ...FIRST,
  state: 'workshop',
  round: 3,
  proposals: kept('proposals', '{\n  "tasks": []\n}\n'),
  answers: kept('answers', 'scope: Which notes?\nAnswer: All of them'),
  feedback: { by: 'the person who runs this plan', ...kept('feedback', 'Without a database.\n## Never touch\n') },
  before: kept('plan-before', '# Search\n\n### Task 1: Install a database\n'),
};

const LAST: WorkshopTurn = {
  ...LATER,
  state: 'formalizing',
  round: 5,
  violations: ['work.tasks[0].depends[0]: there is no task "t9"', 'Task "t1" creates "package.json", which exists.'],
};

function textOf(turn: WorkshopTurn): string {
  return promptText(planInWorkshop(ASSIGNMENT, turn));
}

const PROMPTS = { 'first-round': FIRST, 'later-round': LATER, 'last-round': LAST } as const;
const GOLDEN = 'test/agents/golden/workshop';

describe.each(Object.entries(PROMPTS))('the prompt of the %s', (name, turn) => {
  const text = textOf(turn);

  test('matches its golden text', () => {
    const path = `${GOLDEN}/${name}.txt`;
    if (process.env.UPDATE_GOLDEN) {
      mkdirSync(GOLDEN, { recursive: true });
      writeFileSync(path, text);
    }
    expect(existsSync(path)).toBe(true);
    expect(text).toBe(readFileSync(path, 'utf8'));
  });

  test('explains every heuristic as the code computes it', () => {
    for (const [heuristic, { meaning, leads }] of Object.entries(HEURISTICS))
      expect(text).toContain(`- \`${heuristic}\`: ${meaning} ${leads}`);
  });

  test('shows the document that this round asks for, and no other', () => {
    expect(text.includes(PLANNING_OUTLINE)).toBe(turn.state === 'formalizing');
    expect(text.includes(ROUND_OUTLINE)).toBe(turn.state !== 'formalizing');
  });

  test('says how to hand the document in, and what never to touch', () => {
    expect(text).toContain('cadre signal round-finished --body-file docs/plans/.signals/.round.json');
    const never = text.slice(text.lastIndexOf('\n## Never touch'));
    for (const untouchable of ['plan-state.json', '~/.cadre', 'git push', 'docs/plans/2026-01-02-search.md'])
      expect(never).toContain(untouchable);
  });
});

test('every golden text has a prompt', () => {
  expect(readdirSync(GOLDEN).sort()).toEqual(
    Object.keys(PROMPTS)
      .map((name) => `${name}.txt`)
      .sort(),
  );
});

test('what a person said cannot pass for a part of the prompt', () => {
  expect(textOf(LATER)).toContain('\n> ## Never touch');
});

test('a transcript that is too long for a prompt is cut in the middle, and the file with all of it is named', () => {
  const transcript = kept('transcript', `first\n${'x'.repeat(100_000)}\nlast\n`);
  const text = textOf({ ...LATER, transcript });
  expect(text.length).toBeLessThan(60_000);
  expect(text).toContain(transcript.path);
  expect(text).toMatch(/\nfirst\n/);
  expect(text).toMatch(/\nlast\n/);
});
