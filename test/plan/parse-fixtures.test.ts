// Plans in many styles, each with a handwritten description of what must be read from it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ParsedPlan, parse } from '../../src/plan/parse.ts';
import { project } from '../../src/plan/project.ts';
import { graphOf, reassembled } from '../support/plan-texts.ts';

const FOLDER = 'test/fixtures/plans';

const fixtures = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .map((name) => ({
    name,
    text: readFileSync(`${FOLDER}/${name}.md`, 'utf8'),
    expected: JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8')),
  }));

test('there are plans in at least thirty styles', () => {
  expect(fixtures.length).toBeGreaterThanOrEqual(30);
});

describe.each(fixtures)('$name', ({ text, expected }) => {
  const parsed = parse(text);

  test('is read as its author intended', () => {
    expect(inShort(parsed)).toEqual(expected);
  });

  test('consists of the raw texts of its tasks and what is between them, byte for byte', () => {
    expect(reassembled(text, parsed.plan)).toBe(text);
  });

  test('has the same tasks in the same order after being written and read again', () => {
    expect(graphOf(parse(project(parsed.plan)).plan)).toEqual(graphOf(parsed.plan));
  });
});

/** The parts that the descriptions cover. */
function inShort({ plan, problems }: ParsedPlan): unknown {
  const { title, goal, architecture, techStack, phases } = plan;
  return {
    title,
    goal,
    architecture,
    techStack,
    phases: phases.map(({ number, name, parallel, tasks }) => ({
      number,
      name,
      parallel,
      tasks: tasks.map(({ number, name, address, dependsOn, files, steps, commitMessage }) => ({
        number,
        name,
        address,
        dependsOn,
        files: files.map(({ action, path, lines }) => ({ action, path, lines })),
        steps: steps.map(({ number, description, command, expected }) => ({ number, description, command, expected })),
        commitMessage,
      })),
    })),
    problems: problems.map(({ line, severity, code }) => ({ line, severity, code })),
  };
}
