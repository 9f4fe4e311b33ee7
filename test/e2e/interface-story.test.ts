// The whole story in the terminal interface, from a fresh repository to a landed plan, in a real terminal with real git, a
// real engine and scripted agents. UPDATE_GOLDEN=1 writes what the person saw to docs/interface.md and docs/interface.svg.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quoteForShell } from '../../src/text/shell.ts';
import { needing } from '../support/needs.ts';
import { type PersonAtTerminal, personIn } from '../support/person.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { svgOf } from '../support/screen-svg.ts';

needing('tmux', () => {
  test('from a fresh repository by a workshop, reviews and a question to a landed plan', async () => {
    const repo = planRepo({ host: 'tmux', root: 'shop', settings: { verify: 'ls', land: 'local' } });
    const story = recorded(personIn(repo, { columns: 120, rows: 36 }), repo.outside);
    const { person } = story;
    bringAgents(repo);

    person.starts();
    await person.sees('No plans and no sessions here yet.');
    story.shows('A fresh repository', 'cadre', 'Nothing is configured, and nothing was written anywhere yet.');

    person.types('N');
    person.writes('Sort the menu, and say how it is sorted');
    await person.sees('brief> Sort the menu');
    story.shows('A brief', 'N', 'A planner works out a plan from a sentence.');
    person.types('Enter');
    await person.sees('clarifying', 'engine: this window', 'needs you: a', 'blocking');
    story.shows('The planner asks', 'Enter', 'This window is the engine, because no other process is.');

    person.types('a');
    await person.sees('Should the menu be sorted by name or by use?', 'answer>');
    story.shows('Answering', 'a', 'From anywhere, the oldest question first. A number takes a suggestion.');
    person.types('2', 'Enter');
    await person.sees('review ready', 'The plan, as its file will say it');
    story.shows('The plan is ready for review', '2, Enter', 'What is approved can be read before.');
    person.types('t');
    await person.sees('Approve the plan', 'yes');
    story.shows('Asked before it counts', 't', 'The key that agrees is neither the one that asked nor Enter.');
    person.types('y');
    await person.sees('ready 0/2', 'T1: Sort the menu', 'T2: Say how it is sorted');
    story.shows('Approved', 'y', 'Its file is in docs/plans, and "r" runs it.');

    person.types('r');
    await person.sees('implementing 0/2', 't1-a1', '1 agent');
    person.types('j', 'j');
    await person.sees('[Preview]', 'I am sorting the menu.');
    story.shows('An agent works', 'r, j, j', 'The right pane is its terminal, as it is now.');
    story.pictures();

    person.types('Enter');
    await person.seesNo('[Preview]');
    await person.sees('I am sorting the menu.');
    person.writes('use the shop counter');
    person.types('Enter');
    await person.sees('Understood: use the shop counter');
    story.shows('Attached', 'Enter, then typed to the agent', 'This is the terminal of the agent. Ctrl-Q leaves it.');
    person.types('C-q');
    await person.sees('[Preview]', 'Understood');
    repo.go('ask');
    await person.sees('question', 'needs you: a');
    expect(person.title()).toMatch(/^! 1 cadre/);
    person.types('a');
    await person.sees('Should equal names keep their order?');
    person.writes('Yes, keep it');
    story.shows('An agent asks', 'a', 'The title of the terminal counts what needs you, and the bell rang once.');
    person.types('Enter');

    await person.sees('T1: Sort the menu       spec review');
    person.types('d');
    await person.sees('[Diff]', 'task-1.txt', 'sorted by use');
    person.types('c');
    await person.sees('Comment on task-1.txt:1');
    person.writes('say which counter');
    person.types('Enter', 'b');
    await person.sees('feedback>', 'task-1.txt:1: say which');
    story.shows('Sent back', 'd, c, b', 'A comment on a line of the diff becomes the feedback.');
    person.types('Enter');
    await person.sees('fixing 1/3');
    repo.go('fix');
    await person.sees('T1: Sort the menu       spec review');
    person.types('Escape');
    await person.sees('[Task]', 'review failed, a person', 'say which counter');
    story.shows('Reviewed again', 'Esc', 'The task with its files, steps, and every check so far.');
    person.types('t');
    await person.sees('Approve');
    person.types('y');
    await person.sees('T1: Sort the menu      quality rev.');
    const draft = join(repo.root, 'task-1.txt');
    writeFileSync(draft, 'a draft of a person\n');
    repo.go('reviews');
    await person.sees('done 2/2', 'L land', 'needs you: a');
    person.types('g');
    await person.sees('[Plan]', 'Goal: People find what they order most.', '2 of 2 done', 'Timeline');
    story.shows('Done', 't, y, g', 'Built, but a file of the person is where the plan would put its own.');
    rmSync(draft);
    person.types('L');
    await person.sees('The plan branch is brought into its base branch.');
    person.types('y');
    await person.sees('[Plan]', 'Merged into main as');
    story.shows('Landed', 'L, y', 'The base branch has it.');
    expect(repo.git('show', 'main:task-1.txt')).toContain('sorted by use');

    person.types('q');
    await person.sees('EXIT 0');
    expect([person.isOnAlternateScreen(), person.isCooked()]).toEqual([false, true]);
    person.starts();
    await person.sees('done 2/2', 'T2: Say how it is sorted');
    story.shows('The next start', 'q, cadre', 'Everything is where it was.');
    story.write();
  });
});

/** The implementer of the first task follows the script; every other one does its work at once. */
function bringAgents(repo: PlanRepo): void {
  mkdirSync(repo.at('agents'));
  const agent = repo.at('agents/cadre-scripted-agent');
  const real = repo.at('bin/cadre-scripted-agent');
  writeFileSync(repo.at('script'), SCRIPT.replaceAll('OUTSIDE', repo.outside));
  writeFileSync(
    agent,
    [
      '#!/bin/sh',
      `if [ "$CADRE_ROLE" = implementer ] && [ "$CADRE_TASK" != 1 ]; then exec ${quoteForShell([real])} "$@"; fi`,
      `exec ${quoteForShell([real, '--script', repo.at('script')])} "$@"`,
      '',
    ].join('\n'),
  );
  chmodSync(agent, 0o755);
  const settings = { default_program: agent, verify: 'ls', land: 'local' };
  writeFileSync(join(repo.root, 'cadre.json'), `${JSON.stringify(settings)}\n`);
  repo.git('commit', '--quiet', '--all', '-m', 'agents');
}

const FILES = [
  { path: 'task-1.txt', intent: 'create', task: 't1' },
  { path: 'task-2.txt', intent: 'create', task: 't2' },
];
const PROPOSALS = {
  tasks: [
    { id: 't1', title: 'Sort the menu', subtasks: [], depends: [] },
    { id: 't2', title: 'Say how it is sorted', subtasks: [], depends: ['t1'] },
  ],
  assumptions: ['One file holds the menu.'],
  risks: [],
  acceptance_criteria: ['The menu is sorted.'],
  files: FILES,
};
const QUESTION = {
  id: 'order',
  text: 'Should the menu be sorted by name or by use?',
  blocking: true,
  why: 'The first task depends on it.',
  suggestions: ['by name', 'by use'],
};
const task = (number: number, title: string) => ({
  id: `t${number}`,
  title,
  kind: 'feature',
  milestone: 'm1',
  depends: number === 1 ? [] : [`t${number - 1}`],
  description: `${title}, in task-${number}.txt.`,
  steps: [{ title: 'Write the file' }],
  test: `task-${number}.txt exists.`,
  avoid: [],
  commit: `menu: step ${number}`,
});
const PLANNED = {
  id: 'menu',
  title: 'A sorted menu',
  brief: 'Sort the menu.',
  context: 'The menu is in one file.',
  goals: ['People find what they order most.'],
  scope: { in: ['The menu'], out: ['Prices'] },
  architecture: 'One file.',
  tech_stack: ['text'],
  work: {
    milestones: [{ id: 'm1', title: 'Menu' }],
    tasks: [task(1, 'Sort the menu'), task(2, 'Say how it is sorted')],
  },
  risks: [],
  assumptions: ['One file holds the menu.'],
  acceptance_criteria: [{ id: 'a1', text: 'The menu is sorted.' }],
  file_plan: FILES,
  notes: [],
  test_plan: ['Read the files.'],
};

const round = (document: object): string => `round\n| ${JSON.stringify(document)}`;

const SCRIPT = `role planner
say Reading the code ...
turn 1
${round({ summary: 'The menu is in one file.', questions: [QUESTION], proposals: PROPOSALS, ready: false })}
turn 2
${round({ summary: 'Two tasks, one after the other.', questions: [], proposals: PROPOSALS, ready: true })}
turn 3
${round(PLANNED)}
role implementer
turn 1
say "\\e[1mI am sorting the menu.\\e[0m Which counter do I use?"
busy
read-line
say Understood: use the shop counter
busy
wait-for OUTSIDE/ask
ask Should equal names keep their order?
turn 2
edit task-1.txt sorted by use
commit menu: sort it by use
signal implement-finished
turn 3
say Which counter: the one of the shop.
busy
wait-for OUTSIDE/fix
append task-1.txt counted by the shop counter
commit menu: say which counter
signal fix-finished
role spec-reviewer
say Reading the commit ...
busy
wait-for OUTSIDE/reviews
signal review-approved
role quality-reviewer
say Reading the commit ...
busy
wait-for OUTSIDE/reviews
signal review-approved
`;

/** What a person saw, in order. */
function recorded(person: PersonAtTerminal, outside: string) {
  const frames: string[] = [];
  let picture = '';
  return {
    person,
    shows(title: string, keys: string, note: string): void {
      const frame = person
        .screen()
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd()
        // A temporary folder says nothing to a reader; another of the same length keeps the columns.
        .replaceAll(outside, '/home/ann/projects/website'.padEnd(outside.length, '-').slice(0, outside.length));
      frames.push(`## ${title}\n\n\`${keys}\`. ${note}\n\n\`\`\`text\n${frame}\n\`\`\`\n`);
    },
    pictures(): void {
      picture = svgOf(person.colouredScreen(), { columns: 120, rows: 36 });
    },
    write(): void {
      expect(frames.length).toBeGreaterThan(12);
      expect(picture).toContain('<svg');
      if (!process.env.UPDATE_GOLDEN) return;
      writeFileSync('docs/interface.md', `${HEAD}\n${frames.join('\n')}`);
      writeFileSync('docs/interface.svg', picture);
    },
  };
}

const HEAD = `# The terminal interface, step by step

What a person sees who types \`cadre\` in a fresh repository, works out a plan with a planner, has it built and lands it.
Recorded from a real terminal by \`test/e2e/interface-story.test.ts\`, with scripted agents in place of models; the names of
keys are in [keys](keys.md).
`;
