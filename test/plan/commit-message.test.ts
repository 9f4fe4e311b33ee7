// The message that a plan's `git commit` would pass to git, in the notations of shells.
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
  test('a backslash is removed only before characters that are special to the shell', () => {
    expect(lastCommitMessage('git commit -m "say \\"hi\\" for \\$5 \\`now\\` \\\\o/ \\n"')).toBe(
      'say "hi" for $5 `now` \\o/ \\n',
    );
  });

  test('single quotes and line breaks are kept', () => {
    expect(lastCommitMessage('git commit -m "it\'s\n\ndone"')).toBe("it's\n\ndone");
  });
});

test('in single quotes everything is kept', () => {
  expect(lastCommitMessage('git commit -m \'a \\ "b" $c\'')).toBe('a \\ "b" $c');
});

test('an empty message is a message', () => {
  expect(lastCommitMessage('git commit -m ""')).toBe('');
});

test('several messages of one command become paragraphs', () => {
  expect(lastCommitMessage('git commit -m "title" -m \'body\' -m "end"')).toBe('title\n\nbody\n\nend');
});

test('the last command with a message counts', () => {
  expect(lastCommitMessage('git commit -m "first"\ngit commit -m "second"\n')).toBe('second');
  expect(lastCommitMessage('git commit -m "first"\ngit commit --amend --no-edit\n')).toBe('first');
});

test('a message that mentions "git commit" is one message', () => {
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

  test('may end with an indented delimiter, and may have CRLF line ends', () => {
    expect(lastCommitMessage('git commit -m "$(cat <<\'END\'\r\n  title\r\n  END\r\n  )"')).toBe('  title');
  });
});

test.each([
  ['an empty text', ''],
  ['another command', 'git commits -m "x"; git-commit -m "y"'],
  ['a bare command', 'git commit'],
  ['a message in a file', 'git commit -F message.txt'],
  ['an unclosed quote', 'git commit -m "x'],
  ['an option of the next command', 'git commit; echo -m "x"'],
  ['an option on the next line', 'git commit\necho -m "x"'],
  ['text after inline code', '`git commit` -m "x"'],
])('%s has no message', (_what, text) => {
  expect(lastCommitMessage(text)).toBeNull();
});

test('a command of more than 4,000 characters is ignored', () => {
  expect(lastCommitMessage(`git commit -m "${'x'.repeat(3_900)}"`)).toHaveLength(3_900);
  expect(lastCommitMessage(`git commit -m "${'x'.repeat(4_000)}"`)).toBeNull();
});
