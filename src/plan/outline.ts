// What cadre stores about a plan file: the order of its tasks, and enough of each task to recognize it later.
import type { Plan, Task } from './plan.ts';

export interface Outline {
  /** A digest of the whole file. */
  readonly file: string;
  readonly phases: readonly OutlinePhase[];
  readonly tasks: readonly OutlineTask[];
  /** The file has no task headings, so it is one task. */
  readonly whole?: true;
}

export interface OutlinePhase {
  readonly number: number;
  readonly name: string;
  readonly parallel: boolean;
}

export interface OutlineTask {
  readonly address: string;
  readonly name: string;
  /** The index of its phase in `phases`. */
  readonly phase: number;
  readonly dependsOn: readonly string[] | null;
  /** A digest of the text below the heading; empty if there is none. */
  readonly body: string;
  /** The profile that the plan names for its implementer. */
  readonly profile?: string;
  /** The task's part of the file, byte for byte. */
  readonly text: string;
}

/** A file without task headings is one task that consists of the whole file. */
export function outlineOf(plan: Plan, text: string, digest: (text: string) => string): Outline {
  const tasks = plan.phases.flatMap(({ tasks }, phase) => tasks.map((task) => outlineTask(task, phase, digest)));
  const file = digest(text);
  if (tasks.length > 0)
    return { file, phases: plan.phases.map(({ number, name, parallel }) => ({ number, name, parallel })), tasks };
  const whole = {
    address: '1',
    name: plan.title ?? '',
    phase: 0,
    dependsOn: null,
    body: bodyDigest(text, digest),
    text,
  };
  return { file, phases: [{ number: 0, name: '', parallel: false }], tasks: [whole], whole: true };
}

function outlineTask(task: Task, phase: number, digest: (text: string) => string): OutlineTask {
  const { address, name, dependsOn, rawText, profile } = task;
  const read = { address, name, phase, dependsOn, body: bodyDigest(rawText, digest), text: rawText };
  return profile === null ? read : { ...read, profile };
}

function bodyDigest(text: string, digest: (text: string) => string): string {
  const body = bodyOf(text);
  return body === '' ? '' : digest(body);
}

/** A task's text below its heading, with normalized line ends, because git may change them. */
export function bodyOf(text: string): string {
  const lineEnd = text.search(/[\r\n]/);
  return lineEnd === -1 ? '' : text.slice(lineEnd).replace(/\r\n?/g, '\n').trim();
}
