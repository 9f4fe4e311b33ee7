// Lines to be typed: what each is for, and what is done with it.
import type { OpenQuestion } from '../../../core/views/questions.ts';
import { type Command, perform } from './commands.ts';
import { inserted, lineWith, type TypedLine, typed } from './line-editor.ts';
import type { Comment, Model, Prompt, Purpose } from './model.ts';
import { backToList, become, doing, refusing, type Situation, type Step } from './step.ts';

export function openPrompt(model: Model, prompt: Prompt, text?: string): Model {
  const draft = text ?? model.drafts.get(draftKey(prompt.purpose)) ?? '';
  return { ...model, mode: { kind: 'type', prompt, line: lineWith(draft) } };
}

/** Drafts belong to what they are for, so that an answer never reaches another question. */
function draftKey(purpose: Purpose): string {
  const about = 'on' in purpose ? purpose.on : 'session' in purpose ? purpose.session : '';
  return purpose.kind === 'comment'
    ? `comment ${purpose.of} ${purpose.path}:${purpose.line}`
    : `${purpose.kind} ${about}`;
}

export const COMMAND_PROMPT: Prompt = { purpose: { kind: 'command' }, label: ':', title: '', lines: [] };
export const FILTER_PROMPT: Prompt = { purpose: { kind: 'filter' }, label: '/', title: '', lines: [] };

export function questionPrompt(question: OpenQuestion, age: string): Prompt {
  const { id, task, name, text, why, suggestions, answers, blocking, kind } = question;
  const offered = [...answers, ...suggestions];
  const what = kind === 'check-in' ? 'check-in' : 'question';
  return {
    purpose: { kind: 'answer', on: id, suggestions: offered, skippable: !blocking },
    title: `! ${task === null ? id : `T${task}: ${name}`}  ${what} ${age}`,
    label: 'answer> ',
    lines: [
      text,
      ...(why === '' ? [] : [`Why: ${why}`]),
      ...(offered.length === 0 ? [] : [offered.map((one, index) => `${index + 1} ${one}`).join('   ')]),
      `Enter sends${offered.length === 0 ? '' : ', a number alone takes a suggestion'}${blocking ? '' : ', empty skips'}. Ctrl-E editor  Ctrl-N next  Esc keeps it`,
    ],
  };
}

export function textPrompt(kind: 'reject' | 'back' | 'redo', on: string): Prompt {
  return {
    purpose: { kind, on },
    title: TEXT_TITLES[kind](on),
    label: 'feedback> ',
    lines: ['Enter sends  Ctrl-E editor  Esc keeps it'],
  };
}

const TEXT_TITLES: { readonly [kind in 'reject' | 'back' | 'redo']: (on: string) => string } = {
  reject: (on) => `Send ${on} back: what has to change?`,
  back: (on) => `Send ${on} back to the implementer: anything to say? (may be empty)`,
  redo: (on) => `Plan ${on} again: what was wrong? (may be empty)`,
};

/** A key while a line is typed. */
export function typeKey(situation: Situation, prompt: Prompt, line: TypedLine, key: string): Step {
  const { model } = situation;
  const step = KEYS[key];
  if (step !== undefined) return step(situation, prompt, line);
  const edited = typed(line, key);
  return edited === undefined ? become(model) : become(withLine(model, prompt, edited));
}

export function pasteInto(model: Model, prompt: Prompt, line: TypedLine, text: string): Model {
  return withLine(model, prompt, inserted(line, text));
}

function withLine(model: Model, prompt: Prompt, line: TypedLine): Model {
  const typing: Model = { ...model, mode: { kind: 'type', prompt, line } };
  return prompt.purpose.kind === 'filter' ? { ...typing, filter: line.text } : typing;
}

type KeyStep = (situation: Situation, prompt: Prompt, line: TypedLine) => Step;

const KEYS: { readonly [key: string]: KeyStep } = {
  escape: ({ model }, prompt, line) => become(left(model, prompt, line)),
  'ctrl-c': ({ model }, prompt, line) => become(left(model, prompt, line)),
  enter: (situation, prompt, line) => submit(situation, prompt, line.text),
  'ctrl-e': ({ model }, prompt, line) =>
    isLong(prompt.purpose)
      ? doing(model, { do: 'edit', text: line.text })
      : become(withLine(model, prompt, lineWith(line.text))),
  up: ({ model }, prompt, line) => become(recalled(model, prompt, line, -1)),
  down: ({ model }, prompt, line) => become(recalled(model, prompt, line, 1)),
};

/** What may need an editor. */
function isLong({ kind }: Purpose): boolean {
  return kind !== 'command' && kind !== 'filter' && kind !== 'override';
}

function left(model: Model, { purpose }: Prompt, { text }: TypedLine): Model {
  if (purpose.kind === 'filter') return { ...backToList(model), filter: '' };
  if (purpose.kind === 'command') return backToList(model);
  return { ...backToList(model), drafts: new Map(model.drafts).set(draftKey(purpose), text) };
}

function recalled(model: Model, prompt: Prompt, line: TypedLine, by: number): Model {
  if (prompt.purpose.kind !== 'command') return model;
  const at = model.history.indexOf(line.text);
  const to = at === -1 ? (by < 0 ? model.history.length - 1 : -1) : at + by;
  return withLine(model, prompt, lineWith(model.history[to] ?? (by > 0 ? '' : line.text)));
}

/** What was saved in the editor; it may have several lines. */
export function submit(situation: Situation, prompt: Prompt, text: string): Step {
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
    case 'comment':
      return become({ ...done, comments: withComment(model.comments, purpose, text) });
    case 'override':
      if (text !== 'OVERRIDE') return refusing({ ...situation, model: done }, 'Not approved: OVERRIDE was not typed.');
      return doing(done, perform({ do: 'override', on: purpose.on, input: {} }));
    default:
      return submitText({ ...situation, model: done }, model, purpose, text);
  }
}

type TextPurpose = Exclude<Purpose, { kind: 'command' | 'filter' | 'comment' | 'override' }>;

function submitText(situation: Situation, before: Model, purpose: TextPurpose, text: string): Step {
  const command = commandFor(purpose, text.trim());
  // Where nothing was typed, the prompt stays.
  if (typeof command === 'string') return refusing({ ...situation, model: before }, command);
  const { model } = situation;
  const isFeedback = purpose.kind === 'reject' || purpose.kind === 'back';
  const comments = isFeedback ? model.comments.filter(({ of }) => of !== purpose.on) : model.comments;
  return doing({ ...model, comments }, command);
}

/** A sentence where the text is missing. */
function commandFor(purpose: TextPurpose, text: string): Command | string {
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
    case 'send':
      if (text === '') return 'Nothing was sent: the text is empty.';
      return perform({ do: 'session-send', on: purpose.session, input: { text } });
    case 'new-session':
      return perform({ do: 'session-new', input: sessionInput(text) });
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
  const chosen = /^\d+$/.test(text) ? suggestions[Number(text) - 1] : undefined;
  return perform({ do: 'answer', on, input: { text: chosen ?? text } });
}

/** "-p codex fix the login": another program than the default one. */
function sessionInput(text: string): { readonly prompt: string; readonly program?: string } {
  const [, program, prompt = ''] = /^(?:-p|--program)[ =](\S+)\s*(.*)$/s.exec(text) ?? [];
  return program === undefined ? { prompt: text } : { prompt, program };
}

function withComment(
  comments: readonly Comment[],
  { of, path, line, code }: Extract<Purpose, { kind: 'comment' }>,
  text: string,
): readonly Comment[] {
  const others = comments.filter((one) => one.of !== of || one.path !== path || one.line !== line);
  return text.trim() === '' ? others : [...others, { of, path, line, code, text: text.trim() }];
}

/** The comments on what is sent back, as a text to edit. */
export function feedbackFrom(comments: readonly Comment[], of: string): string {
  return comments
    .filter((one) => one.of === of)
    .map(({ path, line, code, text }) => `${path}:${line} "${code.trim()}": ${text}`)
    .join('; ');
}

function runLine({ model }: Situation, text: string): Step {
  const line = text.trim().replace(/^[:/]\s*/, '');
  if (line === '') return become(backToList(model));
  const history = [...model.history.filter((one) => one !== line), line].slice(-MOST_LINES);
  return doing({ ...backToList(model), history }, { do: 'line', text: line });
}

const MOST_LINES = 200;
