// A workshop at a real terminal: questions are asked as they come, what was typed counts at once, and a slip decides nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkshopQuestion } from '../../src/core/model/workshop/entry.ts';
import { killServer, tmux } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { eventually, MAIN } from '../support/repo.ts';
import { asks, briefWith, planWith, roundWith } from '../support/workshops.ts';

needing('tmux', () => {
  test('asks what the planner asks, and keeps each answer although the person leaves before the last', async () => {
    const { repo, shows, types } = terminal(
      briefWith(
        roundWith({ questions: [asks('scope'), asks('colour', false)] }),
        roundWith({ parts: 2, ready: true }),
        planWith(2),
      ),
    );
    await shows('Question 1 of 2 (optional): Which colour?');
    types('2', 'Enter');
    await shows('Question 2 of 2: Which scope?');
    types('Enter');
    await shows('cannot be written without an answer');
    types('half an ans', 'C-c');
    await shows('cadre answer');
    expect(questions(repo)).toEqual(['scope open', 'colour answered Another']);
    await repo.killEngine();
    types('clear; cadre plan parts', 'Enter');
    await shows('Question 1 of 1: Which scope?');
    types('All of them', 'Enter');
    await shows('Approve it?');
    expect(questions(repo)).toEqual(['scope answered All of them', 'colour answered Another']);
    types('yse', 'Enter');
    await shows('Plan again, with "yse" as the reason? [y/N]');
    types('n', 'Enter', 's', 'Enter');
    await shows('## Acceptance criteria');
    types('y', 'Enter');
    await shows('Build it now?');
    types('n', 'Enter');
    await eventually(
      () => planOf(repo).status,
      (status) => status === 'ready',
    );
    expect(planOf(repo).workshop?.versions).toEqual([]);
  });

  test('asks an optional question while the planner continues, which has the answer in its next round', async () => {
    const { repo, shows, types } = terminal(
      briefWith(
        roundWith({ questions: [asks('colour', false)] }),
        roundWith({ parts: 2, questions: [asks('scope')] }),
        roundWith({ parts: 2, ready: true }),
        planWith(2),
      ),
    );
    await shows('Question 1 of 1 (optional): Which colour?');
    types('Dark blue', 'Enter');
    await shows('Question 1 of 1: Which scope?');
    types('1', 'Enter');
    await shows('Approve it?');
    expect(prompts(repo).at(-1)).toContain('colour: Which colour?\nAnswer: Dark blue');
    types('the first part is enough', 'Enter');
    await eventually(
      () => planOf(repo).workshop?.versions.length,
      (versions) => versions === 1,
    );
    const feedback = planOf(repo).workshop?.transcript.filter(({ kind }) => kind === 'feedback');
    expect(feedback?.map(({ content }) => content)).toEqual(['the first part is enough']);
  });

  test('takes nothing for an answer that was typed before the question was shown, and doubts a number', async () => {
    const brief = briefWith(
      roundWith({ questions: [asks('scope')] }),
      roundWith({ parts: 2, questions: [asks('limit')] }),
      roundWith({ parts: 2, ready: true }),
      planWith(2),
    );
    const { repo, shows, types } = terminal(brief.replace('turn 2\n', 'turn 2\nwait-for GATE\n'));
    await shows('Which scope?');
    types('7', 'Enter');
    await shows('There is no suggestion 7. Is "7" your answer? [y/N]');
    types('n', 'Enter', '1', 'Enter');
    await shows('the planner works with the answers');
    types('y', 'Enter', 'half a li');
    await shows('half a li');
    writeFileSync(join(repo.outside, 'gate'), '');
    await shows('Which limit?');
    await shows('Typed before the question was shown, and not taken for an answer: "y", "half a li"');
    expect(questions(repo)).toEqual(['scope answered The usual', 'limit open']);
    types('None', 'Enter');
    await shows('Approve it?');
    expect(questions(repo)).toEqual(['scope answered The usual', 'limit answered None']);
  });

  test('lets the person decide when the rounds are used up', async () => {
    const restless = [1, 2, 3].map((parts) => roundWith({ parts }));
    const { repo, shows, types } = terminal(briefWith(...restless, planWith(1)), { max_rounds: 1 });
    await shows('[w]rite the plan now, allow [m]ore rounds');
    types('w', 'Enter');
    await shows('Approve it?');
    types('l', 'Enter');
    await shows('cadre plan approve');
    expect(planOf(repo).status).toBe('planning');
  });

  test('answers nothing where the form is left as it is, and gives back what was written in one that is refused', async () => {
    const { repo, shows, types } = terminal(
      briefWith(
        roundWith({ questions: [asks('scope'), asks('colour', false)] }),
        roundWith({ ready: true }),
        planWith(1),
      ),
    );
    await shows('Which colour?');
    types('C-c');
    await shows('cadre answer');
    types('clear; EDITOR=true cadre answer parts', 'Enter');
    await shows('Nothing was answered.');
    expect(questions(repo)).toEqual(['scope open', 'colour open']);
    types(`clear; EDITOR='sh -c "printf \\"[size]\\\\nLarge\\" >> $0"' cadre answer parts`, 'Enter');
    await shows('You wrote:');
    await shows('Large');
    expect(questions(repo)).toEqual(['scope open', 'colour open']);
  });

  test('gives a brief that was typed in the editor back where no workshop can be opened', async () => {
    const { repo, shows, types } = terminal(undefined, { default_program: 'no-such-program' });
    types(`EDITOR='sh -c "echo Make it blue >> $0"' cadre plan new`, 'Enter');
    await shows('Your brief was:\n\nMake it blue');
    expect([...repo.world().plans.keys()]).toEqual([]);
  });
});

interface Terminal {
  readonly repo: PlanRepo;
  /** Waits until the screen has the text. */
  shows(text: string): Promise<string>;
  types(...keys: readonly string[]): void;
}

/** A shell in tmux, in which `cadre plan new` was typed if there is a brief. GATE in it is a file of the test's. */
function terminal(brief: string | undefined, settings: Readonly<Record<string, unknown>> = {}): Terminal {
  const repo = planRepo({ settings });
  const file = join(repo.outside, 'brief.md');
  writeFileSync(file, brief?.replace('GATE', join(repo.outside, 'gate')) ?? '');
  const cadre = join(repo.outside, 'cadre');
  writeFileSync(cadre, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, { mode: 0o755 });
  const server = `cadre-workshop-${process.pid}-${repo.outside.split('-').at(-1)}`;
  onTestFinished(() => killServer(server));
  const { PATH, HOME, CADRE_HOME } = repo.env;
  const env = [`PATH=${repo.outside}:${PATH}`, `HOME=${HOME}`, `CADRE_HOME=${CADRE_HOME}`, 'PS1=$ ', 'ENV='];
  const size = ['-x', '120', '-y', '60'];
  spawnSync('tmux', ['-L', server, '-f', '/dev/null', 'new-session', '-d', ...size, 'env', '-i', ...env, 'sh'], {
    cwd: repo.root,
  });
  const types = (...keys: readonly string[]): void => void tmux(server, 'send-keys', ...keys);
  if (brief !== undefined) types(`cadre plan new --brief-file ${file} --name parts`, 'Enter');
  return {
    repo,
    types,
    shows: (text) =>
      eventually(
        () => tmux(server, 'capture-pane', '-p'),
        (screen) => screen.includes(text),
        60_000,
      ),
  };
}

function planOf(repo: PlanRepo): ReturnType<PlanRepo['plan']> {
  const [entry] = repo.world().plans.values();
  if (entry === undefined) throw new Error('There is no plan.');
  return entry;
}

function questions(repo: PlanRepo): readonly string[] {
  const shown = ({ id, state, answer }: WorkshopQuestion): string => [id, state, answer ?? ''].join(' ').trim();
  return planOf(repo).workshop?.questions.map(shown) ?? [];
}

function prompts(repo: PlanRepo): readonly string[] {
  return repo
    .records()
    .flatMap((record) => (record.event === 'session_begun' && record.begun.plans ? [record.begun.id] : []))
    .map((id) => readFileSync(join(repo.state(), 'sessions', id, 'agent', 'prompt.md'), 'utf8'));
}
