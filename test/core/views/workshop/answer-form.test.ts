// The form with the questions of a planner: what is filled in counts, and nothing that a person wrote is dropped in silence.
import { describe, expect, test } from 'vitest';
import type { WorkshopQuestion } from '../../../../src/core/model/workshop/entry.ts';
import { readAnswerForm, writeAnswerForm } from '../../../../src/core/views/workshop/answer-form.ts';
import { blocking, question } from '../../../support/workshop.ts';

const QUESTIONS = [blocking('scope', { suggestions: ['All'] }), question('colour')].map(
  (one): WorkshopQuestion => ({ ...one, round: 1, at: '2026-01-01T00:00:00.000Z', state: 'open' }),
);

describe('a form', () => {
  test('that is not filled in skips what is optional, and answers nothing', () => {
    const read = readAnswerForm(writeAnswerForm('x.md', QUESTIONS), QUESTIONS);
    expect(read).toEqual({ answers: [{ question: 'colour', text: null }], mistake: undefined });
  });

  test('has each answer below the name of its question, in several lines too', () => {
    const text = '# a note\n[scope]\n\nAll\nof them\n# another\n[Colour]\nRed\n';
    expect(readAnswerForm(text, QUESTIONS)).toEqual({
      answers: [
        { question: 'scope', text: 'All\nof them' },
        { question: 'colour', text: 'Red' },
      ],
      mistake: undefined,
    });
  });
});

describe('a form is refused', () => {
  test.each([
    ['without names', 'scope: all\n', 'Line 1, "scope: all", is above the first question.'],
    ['with text above them', '\n# a note\nAll\n[scope]\nSome\n', 'Line 3, "All", is above the first question.'],
    ['with a name twice', '[scope]\nAll\n[colour]\nRed\n[scope]\nSome\n', '[scope] appears twice, in lines 1 and 5.'],
  ])('%s', (_what, text, mistake) => {
    expect(readAnswerForm(text, QUESTIONS)).toEqual({ answers: [], mistake });
  });
});
