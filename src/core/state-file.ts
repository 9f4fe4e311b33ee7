// ~/.cadre/state.json: a derived view of every repository's plans. Files of older programs without `plans` are read too.
import type { PlanFile } from '../plan/name.ts';
import { readJson } from './json-text.ts';

export type StateFileRead =
  | { readonly kind: 'good'; readonly document: Readonly<Record<string, unknown>> }
  | { readonly kind: 'bad'; readonly why: string };

export function readStateFile(text: string): StateFileRead {
  const read = readJson(text);
  if (read.kind === 'bad') return read.code === 'empty' ? { kind: 'good', document: {} } : read;
  if (!isObject(read.value) || (Object.hasOwn(read.value, 'plans') && !isObject(read.value.plans)))
    return { kind: 'bad', why: 'it is not an object as cadre writes it' };
  return { kind: 'good', document: read.value };
}

/** The file's text with this repository's plans in it; keys that cadre does not know and other repositories stay. */
export function projectStateFile(
  document: Readonly<Record<string, unknown>>,
  plansFolder: string,
  plans: readonly PlanFile[],
  active: PlanFile | undefined,
): string {
  const all: Record<string, unknown> = Object.assign(Object.create(null), document.plans);
  for (const plan of plans) {
    const before = all[`${plansFolder}/${plan}`];
    all[`${plansFolder}/${plan}`] = { tasks: {}, ...(isObject(before) ? before : {}), active: plan === active };
  }
  return `${JSON.stringify({ ...document, plans: all }, null, 2)}\n`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
