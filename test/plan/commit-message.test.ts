// The message that a plan's `git commit` would hand to git, written as shells let one write it.
import { describe, expect, test } from 'vitest';
import { lastCommitMessage } from '../../src/plan/commit-message.ts';

test.each([
  ['git commit -m "add a parser"', 'add a parser'],
  ["git commit -m 'add a parser'", 'add a parser'],
  ['git commit -m parser', 'parser'],
  ['git commit -m"add a parser"', 'add a parser'],
  ['git commit -am "add a parser"', 'add a parser'],
  ['git commit --message "add a parser"', 'add a parser'],
  ['git commit --message="add a parser"', 'add a parser'],
  ['git commit --no-verify -m "add a parser"', 'add a parser'],
  ['git commit --author=me -s -m "add a parser" --quiet', 'add a parser'],
  ['git commit \\\n  -m "add a parser"', 'add a parser'],
  ['git commit \\\r\n  -m "add a parser"', 'add a parser'],
  ['git add . && git commit -m "add a parser" && git push', 'add a parser'],
  ['Commit (`git commit -m "add a parser"`).', 'add a parser'],
])('%s', (text, message) => {
  expect(lastCommitMessage(text)).toBe(message);
});

describe('in double quotes', () => {
  test('a backslash is taken from before what the shell would read otherwise, and from nothing else', () => {
    expect(lastCommitMessage('git commit -m "say \\"hi\\" for \\$5 \\`now\\` \\\\o/ \\n"')).toBe(
      'say "hi" for $5 `now` \\o/ \\n',
    );
  });

  test('single quotes and line breaks stay', () => {
    expect(lastCommitMessage('git commit -m "it\'s\n\ndone"')).toBe("it's\n\ndone");
  });
});

test('in single quotes everything stays', () => {
  expect(lastCommitMessage('git commit -m \'a \\ "b" $c\'')).toBe('a \\ "b" $c');
});

test('an empty message is a message', () => {
  expect(lastCommitMessage('git commit -m ""')).toBe('');
});

test('several messages of one command are paragraphs', () => {
  expect(lastCommitMessage('git commit -m "title" -m \'body\' -m "end"')).toBe('title\n\nbody\n\nend');
});

test('of several commands the last counts, unless it has no message', () => {
  expect(lastCommitMessage('git commit -m "first"\ngit commit -m "second"\n')).toBe('second');
  expect(lastCommitMessage('git commit -m "first"\ngit commit --amend --no-edit\n')).toBe('first');
});

test('a message that speaks of committing is one message', () => {
  expect(lastCommitMessage('git commit -m "docs: when to use git commit -m and when not"')).toBe(
    'docs: when to use git commit -m and when not',
  );
});

describe('a heredoc', () => {
  test.each(["<<'EOF'", '<<"EOF"', '<<EOF', '<<-EOF', "<< 'EOF'"])('after %s is the message', (opening) => {
    expect(lastCommitMessage(`git commit -m "$(cat ${opening}\ntitle\n\n"body" of it\nEOF\n)"`)).toBe(
      'title\n\n"body" of it',
    );
  });

  test('may end with its word indented, on lines of Windows', () => {
    expect(lastCommitMessage('git commit -m "$(cat <<\'END\'\r\n  title\r\n  END\r\n  )"')).toBe('  title');
  });
});

test.each([
  ['nothing', ''],
  ['another command', 'git commits -m "x"; git-commit -m "y"'],
  ['no message', 'git commit'],
  ['no message, but a file', 'git commit -F message.txt'],
  ['a quote that is never closed', 'git commit -m "x'],
  ['the next command', 'git commit; echo -m "x"'],
  ['the next line', 'git commit\necho -m "x"'],
  ['the end of inline code', '`git commit` -m "x"'],
])('%s is no message', (_what, text) => {
  expect(lastCommitMessage(text)).toBeNull();
});

test('a command of more than 4,000 characters is not looked at', () => {
  expect(lastCommitMessage(`git commit -m "${'x'.repeat(3_900)}"`)).toHaveLength(3_900);
  expect(lastCommitMessage(`git commit -m "${'x'.repeat(4_000)}"`)).toBeNull();
});
