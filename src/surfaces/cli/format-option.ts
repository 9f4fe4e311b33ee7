// The format of another tool, as an option of a command.
import { Failure } from '../../core/model/failure.ts';
import { DIALECT_NAMES, type DialectName } from '../../plan/foreign/dialect.ts';
import { isDialect } from '../../plan/foreign/dialects.ts';
import { showName } from '../../text/show.ts';

export function formatIn(flag: string, typed: string): DialectName {
  if (isDialect(typed)) return typed;
  throw new Failure(
    'usage',
    'bad-value',
    `${flag} must be one of ${DIALECT_NAMES.join(', ')}, not "${showName(typed)}".`,
  );
}
