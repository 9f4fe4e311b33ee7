// Turns a file that an agent dropped into a signal: a message in a box, or a sentinel with its meaning in its name.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SignalFile } from '../../core/model/event.ts';
import type { RuleRefusal } from '../../core/model/refusal.ts';
import { signalFromMessage } from '../../core/model/signal.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { FoundSignal } from '../../core/ports/inbox.ts';
import { decodeMessage } from '../../signals/message.ts';
import { type Decoded, decodeSentinel } from '../../signals/sentinel.ts';
import { showName } from '../../text/show.ts';
import { decodeText, readSafely } from '../system/signal-file.ts';
import type { SessionKeys } from './session-keys.ts';
import { candidatePath, type SignalCandidate } from './sources.ts';

/** A sentinel that is still being written, and the plan it is about. */
export interface UnfinishedSentinel {
  readonly unfinished: string;
}

export interface SignalReader {
  readonly disk: Disk;
  readonly planExists: (plan: string) => boolean;
  readonly keys: Pick<SessionKeys, 'ownerOf'>;
  /** Whether the file has not changed for a while. */
  readonly isStill: (path: string, facts: FileFacts) => boolean;
}

/** Undefined if the file is gone. */
export function readSentinel(
  { disk, planExists, keys, isStill }: SignalReader,
  candidate: SignalCandidate,
): FoundSignal | UnfinishedSentinel | undefined {
  const { source, name, facts } = candidate;
  const file = fileOf(candidate);
  const decoded = decodeName(name);
  if (decoded.kind === 'unreadable') return unreadable(candidate, 'bad-name', decoded.why);
  const { plan } = decoded;
  const hasBody = decoded.kind === 'signal' && decoded.signal.body === 'required';
  const mayBeHalfWritten = (): boolean => facts.kind === 'file' && !isStill(file.path, facts);
  if (hasBody && mayBeHalfWritten()) return { unfinished: plan };
  const read = readSafely(disk, candidatePath(candidate), facts);
  if (read.kind === 'gone') return undefined;
  if (read.kind === 'unfit') return notTaken(candidate, read.code, read.why);
  if (hasBody && !read.still) return { unfinished: plan };
  const body = hasBody ? decodeText(read.bytes) : '';
  const keyOf = hasBody ? undefined : keys.ownerOf(read.bytes.subarray(0, LONGEST_KEY).toString('utf8').trim());
  if (body === undefined) return notTaken(candidate, 'not-utf8', NOT_UTF8);
  // In a worktree of cadre's a sentinel without a body holds the key of its session. A whole key is taken at once, before
  // the engine notices that the program has ended; anything else may become one.
  const wantsKey = !hasBody && (source.task !== undefined || source.place !== undefined);
  if (wantsKey && keyOf === undefined && (mayBeHalfWritten() || !read.still)) return { unfinished: plan };
  const signal = {
    // The content of a signal without a body does not matter: `echo done > file` may be seen half written.
    id: sentinelId(candidate, body),
    name: decoded.kind === 'signal' ? decoded.signal.name : decoded.event.replaceAll('_', '-'),
    plan,
    by: { who: 'agent', role: 'outside' },
    via: 'sentinel',
    ...(keyOf === undefined ? {} : { keyOf }),
    body,
    file,
    made: new Date(Number(facts.born / NANOSECONDS_PER_MILLISECOND)).toISOString(),
    planFileExists: planExists(plan),
    ...(source.task === undefined ? {} : { task: source.task }),
    ...(source.place === undefined ? {} : { place: source.place }),
  } as const;
  return { event: { kind: 'signal', signal }, facts };
}

/** More than any key and the line end after it. */
const LONGEST_KEY = 200;

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Undefined if the file is gone. */
export function readMessage(
  { disk, planExists, keys }: SignalReader,
  candidate: SignalCandidate,
  session: string,
): FoundSignal | undefined {
  const { facts } = candidate;
  const read = readSafely(disk, candidatePath(candidate), facts);
  if (read.kind === 'gone') return undefined;
  if (read.kind === 'unfit') return notTaken(candidate, read.code, read.why);
  const text = decodeText(read.bytes);
  if (text === undefined) return notTaken(candidate, 'not-utf8', NOT_UTF8);
  const message = decodeMessage(text, session);
  if ('why' in message) return notTaken(candidate, 'unreadable', message.why);
  const keyOf = message.key === undefined ? undefined : keys.ownerOf(message.key);
  const context = {
    file: fileOf(candidate),
    planFileExists: planExists(message.plan),
    ...(keyOf === undefined ? {} : { keyOf }),
  };
  return { event: { kind: 'signal', signal: signalFromMessage(message, context) }, facts };
}

const NOT_UTF8 = 'its text is not valid UTF-8';

function decodeName(name: Buffer): Decoded {
  const text = decodeText(name);
  if (text !== undefined) return decodeSentinel(text);
  return { kind: 'unreadable', why: `"${printable(name)}" is not a signal: its name is not valid UTF-8.` };
}

function notTaken(candidate: SignalCandidate, code: RuleRefusal, why: string): FoundSignal {
  return unreadable(candidate, code, `"${printable(candidate.name)}" was not taken: ${why}.`);
}

function unreadable(candidate: SignalCandidate, code: RuleRefusal, why: string): FoundSignal {
  const { name, facts } = candidate;
  const signal = { id: sentinelId(candidate, ''), shown: printable(name), file: fileOf(candidate), code, why };
  return { event: { kind: 'unreadable-signal', signal }, facts };
}

/** Does not depend on the file's times: `touch` creates a file and then sets its times, and people touch files again. */
function sentinelId(candidate: SignalCandidate, body: string): string {
  const { inode, born } = candidate.facts;
  const hash = createHash('sha256').update(candidatePath(candidate)).update(`\0${inode}\0${born}\0`).update(body);
  return `sentinel/${hash.digest('hex').slice(0, 32)}`;
}

function fileOf(candidate: SignalCandidate): SignalFile {
  const { source, name, facts } = candidate;
  const path = join(source.folder, name.toString('utf8'));
  const raw = candidatePath(candidate);
  const exact = Buffer.from(path).equals(raw) ? {} : { bytes: raw.toString('base64') };
  return { path, inode: String(facts.inode), ...exact };
}

function printable(name: Buffer): string {
  return showName(name.toString('utf8'));
}
