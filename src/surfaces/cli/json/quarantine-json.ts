// A refused signal as `--json` prints it.
import type { World } from '../../../core/model/world.ts';

/** As the world holds it. */
export type Quarantined = World['refused'] extends ReadonlyMap<string, infer Kept> ? Kept : never;

export function quarantineJson(refused: Quarantined): object {
  const { id, at, code, why, name, plan, file } = refused;
  return { id, at, code, why, name, plan: plan ?? null, file: file.path };
}
