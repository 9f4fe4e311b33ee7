// What agent programs report about themselves through their hooks: the latest report of each session, in one folder. Reports
// are hints, so nothing is synced, and an unreadable one is ignored.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../agents/agent.ts';
import { fieldsOf } from '../../agents/report.ts';
import { diskFailure } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { oneLine } from '../../text/one-line.ts';

export interface Reports {
  readonly folder: string;
  write(session: SessionId, report: Report, at: number): void;
  forget(session: SessionId): void;
  latest(session: SessionId): { readonly report: Report; readonly at: number } | undefined;
}

export function reports(folder: string): Reports {
  const fileOf = (session: SessionId): string => join(folder, `${session}.json`);
  return {
    folder,
    write(session, report, at) {
      const path = fileOf(session);
      const written = `${path}.${process.pid}`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(written, JSON.stringify({ ...report, at }), { mode: 0o600 });
        renameSync(written, path);
      } catch (error) {
        throw diskFailure(error, 'write', path);
      }
    },
    forget: (session) => rmSync(fileOf(session), { force: true }),
    latest(session) {
      try {
        return reportFrom(readFileSync(fileOf(session), 'utf8'));
      } catch {
        return undefined;
      }
    },
  };
}

function reportFrom(text: string): { readonly report: Report; readonly at: number } | undefined {
  const fields = fieldsOf(text);
  const [kind, at, question] = [fields.get('kind'), fields.get('at'), fields.get('question')];
  if (typeof at !== 'number') return undefined;
  switch (kind) {
    case 'turn-finished':
    case 'session-started':
      return { report: { kind }, at };
    case 'asks-permission':
      return { report: { kind, question: oneLine(typeof question === 'string' ? question : '') }, at };
    default:
      return undefined;
  }
}
