// The signals that were refused, as lines for a person.
import type { World } from '../../../core/model/world.ts';
import { columns } from './columns.ts';
import { shortTime } from './record-line.ts';

export function quarantineLines({ refused }: Pick<World, 'refused'>): readonly string[] {
  const rows = [...refused.values()].map((one) => [one.id, shortTime(one.at), one.code, one.why]);
  return rows.length === 0 ? ['The quarantine is empty.'] : columns([['id', 'refused', 'code', 'why'], ...rows]);
}
