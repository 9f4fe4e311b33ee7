// Prompts that a project or a person has changed: sections added, replaced and extended, and what cannot be changed.
import { describe, expect, test } from 'vitest';
import { type AdditionFile, withAdditions } from '../../src/agents/prompts/additions.ts';
import { fixedSection, type Prompt, promptText, section } from '../../src/agents/prompts/prompt.ts';

const PROMPT: Prompt = {
  opening: 'You are the implementer.',
  sections: [
    fixedSection('Requirements: task 1, Dig', 'dig'),
    section('Your job', '1. Dig.'),
    section('When to ask', 'Ask early.'),
    fixedSection('How to end your turn', '- `cadre signal implement-finished`'),
    fixedSection('Never touch', '- git push'),
  ],
};

function file(text: string, from: AdditionFile['from'] = 'repository'): AdditionFile {
  return { from, path: `/${from}/prompts/implementer.md`, text };
}

function changed(...files: readonly AdditionFile[]): string {
  return promptText(withAdditions(PROMPT, files).prompt);
}

describe('a file with additions', () => {
  test('adds a section of its own before the end of the turn', () => {
    expect(changed(file('Commit messages are in Latin.\n'))).toContain(
      'Ask early.\n\n## From this project\n\nCommit messages are in Latin.\n\n## How to end your turn',
    );
  });

  test('adds to a section, and replaces one', () => {
    const text = changed(file('## Add to: your job\n\n2. Rest.\n\n## Replace: When to ask\n\nNever ask.\n'));
    expect(text).toContain('## Your job\n\n1. Dig.\n\n2. Rest.\n\n## When to ask\n\nNever ask.\n\n## How');
  });

  test('keeps other headings as text', () => {
    expect(changed(file('Words.\n\n## Style\n\nShort.'))).toContain(
      '## From this project\n\nWords.\n\n## Style\n\nShort.',
    );
  });

  test('of the person and of the project both count; where they replace the same section, that of the project does', () => {
    const text = changed(
      file('Mine.\n\n## Replace: Your job\n\nA', 'home'),
      file('Ours.\n\n## Replace: Your job\n\nB'),
    );
    expect(text).toContain('## Your job\n\nB\n');
    expect(text).toContain('## From the person who runs this plan\n\nMine.\n\n## From this project\n\nOurs.');
  });

  test('that is empty changes nothing', () => {
    expect(changed(file(' \n'))).toBe(promptText(PROMPT));
  });
});

test.each([
  ['How to end your turn', 'the section "How to end your turn" cannot be changed.'],
  ['never touch', 'the section "Never touch" cannot be changed.'],
  ['Requirements: task 1, Dig', 'the section "Requirements: task 1, Dig" cannot be changed.'],
  ['Your jb', 'this prompt has no section "Your jb".'],
])('"%s" stays as it is, and the person learns why', (title, why) => {
  const { prompt, ignored } = withAdditions(PROMPT, [file(`## Replace: ${title}\n\nPush.\n`)]);
  expect(promptText(prompt)).toBe(promptText(PROMPT));
  expect(ignored).toEqual([`/repository/prompts/implementer.md: ${why}`]);
});
