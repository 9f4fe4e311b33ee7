// What agents read at the start of a turn: who said what, in the words of the prompt.
import { describe, expect, test } from 'vitest';
import type { World } from '../../../../src/core/model/world.ts';
import { planReviewPrompt, promptIn } from '../../../support/prompts.ts';
import {
  AGENT,
  act,
  answerTo,
  at,
  going,
  HUMAN,
  ONE,
  planIn,
  result,
  says,
  settled,
  TWO,
  withBudgets,
} from '../../../support/runs.ts';
import { after, move, PLAN, read, signal, taskIn, USER, worldWith } from '../../../support/world.ts';

const SECOND = { head: 'c2', clean: true, commits: 2 };

/** The task in review again, after a fix that was verified. */
function reviewedAgain(fixing: World): World {
  const verifying = settled(fixing, says(fixing, 'fix-finished', { worktree: SECOND }));
  return settled(verifying, result(verifying, { of: 'verify', passed: true, text: '' }));
}

test('a text with nothing in it is not quoted, and no file is written for it', () => {
  const asked = at('QUESTION from CODING', AGENT);
  const { run, ...task } = taskIn(asked, '1');
  if (run?.question == null) throw new Error('Nothing was asked.');
  const blank = { ...task, run: { ...run, question: { ...run.question, text: ' \n' } } };
  const plan = planIn(asked);
  const world = { ...asked, plans: new Map([[PLAN, { ...plan, tasks: [blank] }]]) };
  expect(promptIn(world)).toContain('> No reason was given.');
});

describe('what has to be fixed names who asked for it', () => {
  test.each([
    ['CODE_REVIEW spec', 'The spec reviewer requested changes.', 'the spec reviewer, about commit c1'],
    ['CODE_REVIEW quality', 'The quality reviewer requested changes.', 'the quality reviewer, about commit c1'],
  ] as const)('a reviewer in %s', (place, sentence, by) => {
    const world = at(place);
    const prompt = promptIn(settled(world, says(world, 'review-changes', { body: 'Add a test.' })));
    expect(prompt).toContain(sentence);
    expect(prompt).toContain(`This text is from ${by}.`);
  });

  test.each([
    ['CODE_REVIEW spec', act('changes', { text: 'Add a comment.' })],
    ['CODE_REVIEW quality', act('back', { text: 'Add a comment.' })],
    ['TESTING', act('back', { text: 'Add a comment.' })],
  ] as const)('a person in %s', (place, event) => {
    const prompt = promptIn(settled(at(place), event));
    expect(prompt).toContain('The person who runs this plan sent the work back.');
    expect(prompt).toContain('> Add a comment.');
    expect(prompt).toContain("This is a person's demand");
    expect(partOf(prompt, 'What is wrong')).not.toMatch(/reviewer|Verification failed|nothing in it changes your task/);
  });

  test('a person before the merge', () => {
    const world = settled(at('CODE_REVIEW quality'), { kind: 'freeze', by: { who: 'user' } }, act('approve'));
    const prompt = promptIn(settled(world, act('back', { text: 'Not yet.' })));
    expect(prompt).toContain('The person who runs this plan sent the work back.');
    expect(prompt).not.toContain('could not be merged');
  });

  test('a person who gives no reason', () => {
    const prompt = promptIn(settled(at('CODE_REVIEW spec'), act('back')));
    expect(prompt).toContain('The person who runs this plan sent the work back.');
    expect(prompt).toContain('> It was sent back without a comment.');
  });

  test('the engine, when the branch moved during a review', () => {
    const world = at('CODE_REVIEW spec');
    const prompt = promptIn(settled(world, says(world, 'review-approved', { worktree: SECOND })));
    expect(prompt).toContain('This text is from cadre.');
    expect(prompt).not.toContain('requested changes');
  });

  test('a verification', () => {
    expect(promptIn(at('FIXING'))).toContain('This text is from the verification of commit c1.');
  });
});

function partOf(prompt: string, title: string): string {
  const [part = ''] = prompt.slice(prompt.indexOf(`## ${title}\n`)).split(/\n\n(?=## )/);
  return part;
}

test('the next review names who asked for changes before', () => {
  const reviewed = at('CODE_REVIEW quality');
  const fixing = settled(reviewed, says(reviewed, 'review-changes', { body: 'Add a test.' }));
  expect(promptIn(reviewedAgain(fixing))).toContain('This text is from the quality reviewer, about commit c1.');
});

test('a reviewer whose stage has seen no commit yet reviews everything, whatever the other one asked for', () => {
  const first = at('CODE_REVIEW spec');
  const again = reviewedAgain(settled(first, says(first, 'review-changes', { body: 'Add a test.' })));
  const body = JSON.stringify({ verdicts: [{ finding: 'f1', verdict: 'addressed', evidence: 'there' }] });
  const quality = settled(again, says(again, 'review-approved', { worktree: SECOND, body }));
  expect(promptIn(again)).toContain('This is a review of a fix.');
  expect(promptIn(again)).toContain('- f1 [important, by the spec reviewer] Add a test.');
  expect(promptIn(quality)).not.toContain('This is a review of a fix.');
});

describe('what reviews found', () => {
  const IMPORTANT = JSON.stringify({ findings: [{ severity: 'important', place: 'a.ts:3', problem: 'It hangs.' }] });
  const first = at('CODE_REVIEW spec');
  const fixing = settled(first, says(first, 'review-changes', { body: IMPORTANT }));

  test('is in the brief of the next attempt while it is open', () => {
    const again = settled(fixing, act('revert'), act('launch'));
    const coding = settled(again, result(again, { of: 'worktree', base: 'b0' }));
    expect(partOf(promptIn(coding), 'Open findings')).toContain('> f1 [important] a.ts:3: It hangs.');
    expect(promptIn(at('CODING'))).not.toContain('## Open findings');
  });

  test('is said once where it is what has to be fixed, and again where the tests of the fix fail', () => {
    expect(promptIn(fixing)).not.toContain('## Open findings');
    const verifying = settled(fixing, says(fixing, 'fix-finished', { worktree: SECOND }));
    const failed = settled(verifying, result(verifying, { of: 'verify', passed: false, text: 'one test fails' }));
    expect(partOf(promptIn(failed), 'What is wrong')).toContain('> one test fails');
    expect(partOf(promptIn(failed), 'Open findings')).toContain('> f1 [important] a.ts:3: It hangs.');
  });

  test('comes with what was tried, for the agent that gets the work after several rounds', () => {
    const report = JSON.stringify({ status: 'done', summary: 'I added a timeout.' });
    const policy = withBudgets(HUMAN, { escalateAfter: 1 });
    const coding = at('CODING', policy);
    const testing = settled(coding, says(coding, 'implement-finished', { body: report }));
    const reviewed = settled(testing, result(testing, { of: 'verify', passed: true, text: '' }));
    const taken = settled(reviewed, says(reviewed, 'review-changes', { body: IMPORTANT }));
    const tried = partOf(promptIn(taken), 'What was tried');
    expect(tried).toContain('Reviews have sent this work back 1 time,');
    expect(tried).toContain('> I added a timeout.');
    expect(promptIn(fixing)).not.toContain('## What was tried');
  });
});

describe('an answer names who gave it', () => {
  test('a person', () => {
    expect(promptIn(settled(at('QUESTION from CODING'), act('answer', { text: 'Use a map.' })))).toContain(
      'The person who runs this plan answered.',
    );
  });

  test('the architect, to a question and about a proposal', () => {
    const asked = at('QUESTION from PLANNING', AGENT);
    expect(promptIn(settled(asked, says(asked, 'answer', { body: 'Use a map.' })))).toContain(
      'The architect answered.',
    );
    const proposed = at('PLAN_REVIEW', AGENT);
    expect(promptIn(settled(proposed, says(proposed, 'review-changes')))).toContain(
      'The architect asks for another proposal',
    );
  });

  test('a person about a proposal', () => {
    expect(promptIn(settled(at('PLAN_REVIEW', HUMAN), act('changes', { text: 'Use a map.' })))).toContain(
      'The person who runs this plan asks for another proposal',
    );
  });
});

describe('a demand of a person', () => {
  const demand = 'The person who runs this plan demanded:\n> Add a comment.';
  const rejected = settled(at('CODE_REVIEW spec'), act('changes', { text: 'Add a comment.' }));

  test('is a demand for the spec reviewer of the fix, who has to say whether it is met', () => {
    const spec = reviewedAgain(rejected);
    expect(promptIn(spec)).toContain(demand);
    const silent = says(spec, 'review-approved', { body: '', worktree: SECOND });
    expect(answerTo(spec, silent)).toMatchObject({ kind: 'refused', code: 'no-verdict' });
  });

  test('is still there when a test fails in between', () => {
    const verifying = settled(rejected, says(rejected, 'fix-finished', { worktree: SECOND }));
    const failed = settled(verifying, result(verifying, { of: 'verify', passed: false, text: 'one test fails' }));
    expect(promptIn(failed)).toContain(demand);
    expect(promptIn(reviewedAgain(failed))).toContain(demand);
  });

  test('is in the prompts of the next attempt', () => {
    const again = settled(rejected, act('revert'), act('launch'));
    const planning = settled(again, result(again, { of: 'worktree', base: 'b0' }));
    expect(promptIn(planning)).toContain(demand);
  });

  test('is closed by the person’s approval', () => {
    const spec = reviewedAgain(rejected);
    expect(promptIn(settled(spec, act('approve', { worktree: SECOND })))).not.toContain('demanded');
  });

  test('that says nothing is none', () => {
    expect(promptIn(reviewedAgain(settled(at('CODE_REVIEW spec'), act('back'))))).not.toContain('demanded');
  });
});

describe('a PIVOT', () => {
  const pivoted = settled(at('check-in'), act('answer', { text: 'PIVOT\nUse a map instead.' }));
  const changed = 'The person who runs this plan changed the task:\n> Use a map instead.';

  test('changes the task of the implementer', () => {
    const prompt = promptIn(pivoted);
    expect(prompt).toContain('## Your task has changed');
    expect(prompt).toContain('> Use a map instead.');
    expect(prompt).not.toContain('nothing in it changes your task');
  });

  test('is part of the task for everybody who comes later', () => {
    const verifying = settled(pivoted, says(pivoted, 'implement-finished'));
    expect(promptIn(settled(verifying, result(verifying, { of: 'verify', passed: false, text: 'no' })))).toContain(
      changed,
    );
    const spec = settled(verifying, result(verifying, { of: 'verify', passed: true, text: '' }));
    expect(promptIn(spec)).toContain(changed);
    expect(promptIn(settled(spec, says(spec, 'review-approved')))).toContain(changed);
  });

  test('names the architect who decided it', () => {
    const asked = at('check-in', AGENT);
    expect(promptIn(settled(asked, says(asked, 'answer', { body: 'PIVOT: use a map.' })))).toContain(
      'The architect changed your task',
    );
  });
});

test('CONTINUE is not the answer to a question that nobody asked', () => {
  const prompt = promptIn(settled(at('check-in'), act('answer', { text: 'CONTINUE, it looks good.' })));
  expect(prompt).toContain('## Decision at the check-in');
  expect(prompt).not.toContain('Answer to your question');
});

test('reviewers know what was answered to the implementer’s questions', () => {
  const answered = settled(at('QUESTION from CODING'), act('answer', { text: 'English.' }));
  expect(promptIn(answered)).toContain('## Answer to your question');
  const verifying = settled(answered, says(answered, 'implement-finished'));
  const spec = settled(verifying, result(verifying, { of: 'verify', passed: true, text: '' }));
  expect(promptIn(spec)).toContain(
    'The implementer asked:\n> text\n>\n> The person who runs this plan answered:\n> English.',
  );
});

describe('what the plan says besides its tasks', () => {
  const TEXT = [
    '# Calendar',
    '**Goal:** People see their week.',
    '**Architecture:** One table.',
    '**Tech Stack:** SQLite',
    ONE,
    '## Phase 2: Later\n\nAll of these need the table.\n',
    '### Task 2: Pour\n\npour\n',
    '## Global Constraints\n\n- No new dependency.\n',
  ].join('\n\n');

  test.each([
    'PLANNING',
    'PLAN_REVIEW',
    'CODING',
    'FIXING',
    'CODE_REVIEW spec',
    'CODE_REVIEW quality',
    'QUESTION from CODING',
    'check-in',
  ] as const)('is in the prompt in %s', (place) => {
    const prompt = promptIn(at(place, AGENT_ASKED[place] ? AGENT : HUMAN), '1', { planText: TEXT });
    for (const part of ['Plan: "Calendar" (x.md)', 'People see their week.', 'One table.', 'SQLite'])
      expect(prompt).toContain(part);
    for (const part of ['All of these need the table.', '- No new dependency.']) expect(prompt).toContain(part);
    expect(prompt).not.toContain('pour');
  });

  test('is not repeated where the whole file is the task', () => {
    const prompt = promptIn(at('CODING'), '1', { planText: '# Dig\n\ndig deeper\n' });
    expect(prompt).not.toContain('dig deeper');
  });

  test('is left out where there is none', () => {
    expect(promptIn(at('CODING'), '1', { planText: `# Dig\n\n${ONE}` })).not.toContain('besides its tasks');
    expect(promptIn(at('CODING'))).not.toContain('besides its tasks');
  });
});

const AGENT_ASKED: Readonly<Record<string, boolean>> = {
  PLAN_REVIEW: true,
  'QUESTION from CODING': true,
  'check-in': true,
};

describe('the reviewer of a whole plan', () => {
  const done = settled(at('CODING', HUMAN, TWO), act('mark-done'), act('mark-done', { task: '2' }));

  test('reads the plan, also where its file is not in the worktree', () => {
    const files = new Map<string, string>();
    const text = `# Calendar\n\n**Goal:** People see their week.\n\n${TWO}`;
    const prompt = planReviewPrompt(done, { planText: text, files });
    expect(prompt).toContain('**Goal:** People see their week.');
    expect(prompt).toContain('`/files/plan.md`');
    expect(files.get('plan')).toBe(text);
  });

  test('reads what the tasks were launched with where the file is gone', () => {
    const files = new Map<string, string>();
    planReviewPrompt(done, { files });
    expect(files.get('plan')).toContain('### Task 1: Dig\n\ndig\n\n### Task 2: Pour\n\npour');
  });

  test('knows what became of each task', () => {
    const prompt = planReviewPrompt(done);
    expect(prompt).toContain('- Task 1, Dig: marked done by a person, nothing was merged');
  });

  test('is shown what the tasks left to it: findings that waited, and what implementers were not sure about', () => {
    const coding = at('CODING');
    const report = JSON.stringify({ status: 'done-with-concerns', summary: 'Dug.', concerns: ['Is it deep enough?'] });
    const testing = settled(coding, says(coding, 'implement-finished', { body: report }));
    const spec = settled(testing, result(testing, { of: 'verify', passed: true, text: '' }));
    const body = JSON.stringify({ findings: [{ severity: 'minor', problem: 'A name is odd.' }] });
    const quality = settled(spec, says(spec, 'review-approved', { body }));
    const merging = settled(quality, says(quality, 'review-approved', { body: '' }));
    const merged = settled(merging, result(merging, { of: 'merge', tip: 't1' }));
    const left = partOf(planReviewPrompt(merged), 'What the reviews of the tasks left to you');
    expect(left).toContain('> - task 1 f1 [minor, deferred] A name is odd.');
    expect(left).toContain('> - task 1 [concern of its implementer] Is it deep enough?');
  });

  test('knows who asked for changes before', () => {
    const asked = settled(done, { ...move('review_changes_requested'), feedback: 'Deeper.' } as never);
    const again = settled(asked, act('mark-done', { task: 'R1' }));
    expect(planReviewPrompt(again)).toContain('- f1 [important, demanded by the person who runs this plan] Deeper.');
    expect(planReviewPrompt(again)).toContain('- Task R1, What a person asked for');
  });
});

describe('what a review of the plan asked for', () => {
  test('reaches the implementers of a plan that was driven from outside', () => {
    const reviewed = after(worldWith('implementing'), read(ONE), move('implement_finished'));
    const asked = settled(reviewed, signal({ name: 'review-changes', body: 'Deeper.' }));
    const launched = settled(asked, { kind: 'run', plan: PLAN, by: USER });
    const coding = settled(launched, result(launched, { of: 'worktree', base: 'b0' }));
    const prompt = promptIn(coding);
    expect(prompt).toContain('## What the last review of the plan asked for');
    expect(prompt).toContain('This text is from an agent outside of cadre.');
    expect(prompt).toContain('> Deeper.');
  });

  test('is the task itself where it became one, written by who asked for it', () => {
    const done = settled(going(HUMAN), act('mark-done'));
    const asked = settled(done, { ...move('review_changes_requested'), feedback: 'Deeper.' } as never);
    const fixing = settled(asked, result(asked, { of: 'worktree', base: 'b0' }, 'R1'));
    const prompt = promptIn(fixing, 'R1', { texts: new Map([['R1', 'Deeper.']]) });
    expect(prompt).toContain('The task, as the person who runs this plan wrote it:');
    expect(prompt).not.toContain('What the last review of the plan asked for');
  });

  test('is forgotten when the plan is started over', () => {
    const done = settled(going(HUMAN), act('mark-done'));
    const asked = settled(done, { ...move('review_changes_requested'), feedback: 'Deeper.' } as never);
    const approved = settled(asked, act('mark-done', { task: 'R1' }), move('review_approved'));
    const over = settled(approved, move('start_over'), move('planner_finished'), { kind: 'run', plan: PLAN, by: USER });
    const coding = settled(over, result(over, { of: 'worktree', base: 'b0' }));
    expect(promptIn(coding)).not.toContain('Deeper');
  });
});

test('a prompt is shorter than 12,000 characters apart from the task, whatever was said', () => {
  const long = (word: string): string => `${word} ${'x'.repeat(30_000)}\n`.repeat(3);
  const planText = `# ${long('title')}\n\n**Goal:** ${long('goal')}\n\n${ONE}\n## Constraints\n\n${long('limit')}`;
  let world = settled(
    at('QUESTION from CODING', withBudgets(HUMAN, { fixing: 20 })),
    act('answer', { text: long('answer') }),
  );
  for (const text of ['one', 'two', 'three'].map(long)) {
    world = settled(world, says(world, finishing(world), { worktree: another(world) }));
    world = settled(world, result(world, { of: 'verify', passed: true, text: '' }));
    expect(promptIn(world, '1', { planText }).length).toBeLessThan(12_000);
    world = settled(world, act('changes', { text }));
    expect(promptIn(world, '1', { planText }).length).toBeLessThan(12_000);
  }
  const asked = settled(world, says(world, 'question', { body: long('question') }));
  const answered = settled(asked, act('answer', { text: long('reply') }));
  expect(promptIn(answered, '1', { planText }).length).toBeLessThan(12_000);
  expect(planReviewPrompt(answered, { planText }).length).toBeLessThan(12_000);
});

function finishing(world: World): string {
  return promptIn(world).includes('fix-finished') ? 'fix-finished' : 'implement-finished';
}

function another(world: World): typeof SECOND {
  return { ...SECOND, head: `c${world.seq}` };
}
