// A refused signal as `--json` prints it.
import type { Quarantined } from '../../core/ports.ts';

export function quarantineJson(refused: Quarantined): object {
  const { id, at, code, why, name, plan, file } = refused;
  return { id, at, code, why, name, plan: plan ?? null, file: file.path };
}
