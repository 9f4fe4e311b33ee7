// Lines to be typed: what each is for, and what is done with it.

import type { OpenQuestion } from '../../../core/views/questions.ts';
import { typedAnswer } from '../../../core/views/workshop/typed-answer.ts';
import { undated } from '../../../plan/name.ts';
import { type Command, perform } from './commands.ts';
import { inserted, lineWith, type TypedLine, typed } from './line-editor.ts';
import type { Comment, Model, Purpose, TextPrompt } from './model.ts';
import { backToList, become, doing, refusing, type Situation, type Step } from './step.ts';
import { taskLabel } from './task-label.ts';

export function openPrompt(model: Model, prompt: TextPrompt, text?: string): Model {
  const draft = text ?? model.drafts.get(draftKey(prompt.purpose)) ?? '';
  return { ...model, mode: { kind: 'type', prompt, line: lineWith(draft) } };
}

/** Drafts belong to what they are for, so that an answer never reaches another question. */
function draftKey(purpose: Purpose): string {
  if (purpose.kind === 'ruling') return `ruling ${purpose.ruling} ${purpose.on} ${purpose.finding}`;
  const about = 'on' in purpose ? purpose.on : 'session' in purpose ? purpose.session : '';
  return purpose.kind === 'comment'
    ? `comment ${purpose.of} ${purpose.path}:${purpose.line}`
    : `${purpose.kind} ${about}`;
}

export const COMMAND_PROMPT: TextPrompt = { purpose: { kind: 'command' }, label: ':', title: '', lines: [] };
export const FILTER_PROMPT: TextPrompt = { purpose: { kind: 'filter' }, label: '/', title: '', lines: [] };

export function questionPrompt(question: OpenQuestion, age: string): TextPrompt {
  const { id, task, name, text, why, suggestions, answers, blocking, kind } = question;
  const offered = [...answers, ...suggestions];
  const what = kind === 'check-in' ? 'check-in' : 'question';
  return {
    purpose: { kind: 'answer', on: id, suggestions: offered, skippable: !blocking },
    title: `! ${task === null ? undated(id) : `${taskLabel(task)}: ${name}`}  ${what} ${age}`,
    label: 'answer> ',
    lines: [
      text,
      ...(why === '' ? [] : [`Why: ${why}`]),
      ...(offered.length === 0 ? [] : [offered.map((one, index) => `${index + 1} ${one}`).join('   ')]),
      `Enter sends${offered.length === 0 ? '' : ', a number alone takes a suggestion'}${blocking ? '' : ', empty skips'}. Ctrl-E editor  Ctrl-N next  Esc keeps it`,
    ],
  };
}

export function textPrompt(kind: 'reject' | 'back' | 'redo', on: string): TextPrompt {
  return {
    purpose: { kind, on },
    title: TEXT_TITLES[kind](on),
    label: 'feedback> ',
    lines: ['Enter sends  Ctrl-E editor  Esc keeps it'],
  };
}

const TEXT_TITLES: { readonly [kind in 'reject' | 'back' | 'redo']: (on: string) => string } = {
  reject: (on) => `Send ${undated(on)} back: what has to change?`,
  back: (on) => `Send ${undated(on)} back to the implementer: anything to say? (may be empty)`,
  redo: (on) => `Plan ${undated(on)} again: what was wrong? (may be empty)`,
};

/** A key while a line is typed. */
export function typeKey(situation: Situation, prompt: TextPrompt, line: TypedLine, key: string): Step {
  const { model } = situation;
  const step = KEYS[key];
  if (step !== undefined) return step(situation, prompt, line);
  const edited = typed(line, key);
  return edited === undefined ? become(model) : become(withLine(model, prompt, edited));
}

export function pasteInto(model: Model, prompt: TextPrompt, line: TypedLine, text: string): Model {
  return withLine(model, prompt, inserted(line, text));
}

function withLine(model: Model, prompt: TextPrompt, line: TypedLine): Model {
  const typing: Model = { ...model, mode: { kind: 'type', prompt, line } };
  return prompt.purpose.kind === 'filter' ? { ...typing, filter: line.text } : typing;
}

type KeyStep = (situation: Situation, prompt: TextPrompt, line: TypedLine) => Step;

const KEYS: { readonly [key: string]: KeyStep } = {
  escape: ({ model }, prompt, line) => become(left(model, prompt, line)),
  'ctrl-c': ({ model }, prompt, line) => become(left(model, prompt, line)),
  enter: (situation, prompt, line) => submitPrompt(situation, prompt, line.text),
  'ctrl-e': ({ model }, prompt, line) =>
    isLong(prompt.purpose)
      ? doing(model, { do: 'edit', text: line.text })
      : become(withLine(model, prompt, lineWith(line.text))),
  up: ({ model }, prompt, line) => become(recalled(model, prompt, line, -1)),
  down: ({ model }, prompt, line) => become(recalled(model, prompt, line, 1)),
};

const SHORT: ReadonlySet<Purpose['kind']> = new Set(['command', 'filter', 'search', 'override']);

/** What may need an editor. */
function isLong({ kind }: Purpose): boolean {
  return !SHORT.has(kind);
}

function left(model: Model, { purpose }: TextPrompt, { text }: TypedLine): Model {
  if (purpose.kind === 'filter') return { ...backToList(model), filter: '' };
  if (purpose.kind === 'command') return backToList(model);
  if (purpose.kind === 'search') return { ...backToList(model), search: null };
  return { ...backToList(model), drafts: new Map(model.drafts).set(draftKey(purpose), text) };
}

function recalled(model: Model, prompt: TextPrompt, line: TypedLine, by: number): Model {
  if (prompt.purpose.kind !== 'command') return model;
  const at = model.history.indexOf(line.text);
  const to = at === -1 ? (by < 0 ? model.history.length - 1 : -1) : at + by;
  return withLine(model, prompt, lineWith(model.history[to] ?? (by > 0 ? '' : line.text)));
}

/** What was saved in the editor; it may have several lines. */
export function submitPrompt(situation: Situation, prompt: TextPrompt, text: string): Step {
  const { purpose } = prompt;
  const { model } = situation;
  const drafts = new Map(model.drafts);
  drafts.delete(draftKey(purpose));
  const done = { ...backToList(model), drafts };
  switch (purpose.kind) {
    case 'command':
      return runLine(situation, text);
    case 'filter':
      return become({ ...backToList(model), filter: text });
    case 'search':
      return become(done);
    case 'comment':
      return become({ ...done, comments: withComment(model.comments, purpose, text) });
    case 'override':
      if (text !== 'OVERRIDE') return refusing({ ...situation, model: done }, 'Not approved: OVERRIDE was not typed.');
      return doing(
        done,
        perform({ do: 'override', on: purpose.on, input: purpose.seen === undefined ? {} : { seen: purpose.seen } }),
      );
    default:
      return submitText({ ...situation, model: done }, model, purpose, text);
  }
}

type TextPurpose = Exclude<Purpose, { kind: 'command' | 'filter' | 'search' | 'comment' | 'override' }>;

function submitText(situation: Situation, before: Model, purpose: TextPurpose, text: string): Step {
  const command = commandFor(purpose, text.trim(), before);
  // Where nothing was typed, the prompt stays.
  if (typeof command === 'string') return refusing({ ...situation, model: before }, command);
  const { model } = situation;
  const isFeedback = purpose.kind === 'reject' || purpose.kind === 'back';
  const comments = isFeedback ? model.comments.filter(({ of }) => of !== purpose.on) : model.comments;
  return doing({ ...model, comments }, command);
}

/** A sentence where the text is missing. */
function commandFor(purpose: TextPurpose, text: string, { program }: Model): Command | string {
  switch (purpose.kind) {
    case 'answer':
      return answerCommand(purpose, text);
    case 'reject':
      if (text === '') return 'Nothing was sent: say what has to change.';
      return perform({ do: 'reject', on: purpose.on, input: { feedback: text } });
    case 'back':
      return perform({ do: 'back', on: purpose.on, input: text === '' ? {} : { feedback: text } });
    case 'redo':
      return perform({ do: 'plan-redo', on: purpose.on, input: text === '' ? {} : { feedback: text } });
    case 'ruling':
      return perform({
        do: purpose.ruling,
        on: purpose.on,
        input: { findings: [purpose.finding], ...(text === '' ? {} : { why: text }) },
      });
    case 'send':
      if (text === '') return 'Nothing was sent: the text is empty.';
      return perform({ do: 'session-send', on: purpose.session, input: { text } });
    case 'new-session':
      return perform({ do: 'session-new', input: sessionInput(text, program) });
    case 'new-plan':
      if (text === '') return 'Nothing was started: the brief is empty.';
      return perform({ do: 'plan-new', input: { brief: text } });
  }
}

function answerCommand(
  { on, suggestions, skippable }: Extract<Purpose, { kind: 'answer' }>,
  text: string,
): Command | string {
  if (text === '' && !skippable) return 'Nothing was sent: the answer is empty.';
  const [plan = on, question = ''] = on.split('#', 2);
  if (text === '') return perform({ do: 'plan-answer', on: plan, input: { answers: [{ question, text: null }] } });
  return perform({ do: 'answer', on, input: { text: typedAnswer(text, suggestions).text } });
}

/** "-p codex fix the login": another program than usual; one with flags is quoted. */
function sessionInput(text: string, usual: string | null): { readonly prompt: string; readonly program?: string } {
  const [, quoted, word, prompt] = /^(?:-p|--program)[ =](?:"([^"]+)"|(\S+))\s*(.*)$/s.exec(text) ?? [];
  const program = quoted ?? word ?? usual ?? undefined;
  return { prompt: prompt ?? text, ...(program === undefined ? {} : { program }) };
}

function withComment(
  comments: readonly Comment[],
  { of, path, line, code, until }: Extract<Purpose, { kind: 'comment' }>,
  text: string,
): readonly Comment[] {
  const others = comments.filter((one) => one.of !== of || one.path !== path || one.line !== line || one.code !== code);
  return text.trim() === '' ? others : [...others, { of, path, line, code, until, text: text.trim() }];
}

/** The comments on what is sent back, as a text to edit: a paragraph for each, which starts with its place. */
export function typedFeedback(comments: readonly Comment[], of: string): string {
  return comments
    .filter((one) => one.of === of)
    .map(({ path, line, until, code, text }) => {
      const place = /[\s`]/.test(path) ? `\`${path.replaceAll('`', '')}:${line}\`` : `${path}:${line}`;
      const lines = until === null ? '' : `lines ${line} to ${until}, `;
      return `${place}: ${text} (${lines}on "${code.slice(1).trim()}")`;
    })
    .join('\n\n');
}

function runLine({ model }: Situation, text: string): Step {
  const line = text.trim().replace(/^[:/]\s*/, '');
  if (line === '') return become(backToList(model));
  const history = [...model.history.filter((one) => one !== line), line].slice(-MOST_LINES);
  return doing({ ...backToList(model), history }, { do: 'line', text: line });
}

const MOST_LINES = 200;
