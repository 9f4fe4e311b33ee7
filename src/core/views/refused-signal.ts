// A refused signal as surfaces show it.
import type { RuleRefusal } from '../model/refusal.ts';
import type { World } from '../model/world.ts';

/** As the world holds it. */
export type Quarantined = World['refused'] extends ReadonlyMap<string, infer Kept> ? Kept : never;

export interface RefusedSignalView {
  readonly id: string;
  readonly at: string;
  readonly code: RuleRefusal;
  readonly why: string;
  readonly name: string;
  readonly plan: string | null;
  readonly file: string;
}

export function viewRefused({ id, at, code, why, name, plan, file }: Quarantined): RefusedSignalView {
  return { id, at, code, why, name, plan: plan ?? null, file: file.path };
}
