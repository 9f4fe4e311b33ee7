// The journal's bytes: one record per line with a checksum before it, and how to distinguish a torn end from damage.
import { type JournalRecord, RECORD_VERSION } from '../../core/model/record.ts';
import { crc32 } from '../system/crc32.ts';

export function encodeRecord(record: JournalRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record), 'utf8');
  return Buffer.concat([Buffer.from(`${checksum(json)} `), json, NEWLINE]);
}

export type SegmentRead =
  | { readonly kind: 'whole'; readonly records: readonly JournalRecord[]; readonly length: number }
  /** The bytes from `length` on belong to a commit whose writer was stopped before it could confirm it to anyone. */
  | { readonly kind: 'torn'; readonly records: readonly JournalRecord[]; readonly length: number }
  | {
      readonly kind: 'newer';
      readonly records: readonly JournalRecord[];
      readonly length: number;
      readonly version: number;
    }
  | {
      readonly kind: 'damaged';
      readonly records: readonly JournalRecord[];
      readonly length: number;
      readonly why: string;
    };

/** Reads whole commits up to the first one that is not intact. The first record must have the number `expected`. */
export function decodeRecords(bytes: Buffer, expected: number): SegmentRead {
  const records: JournalRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const intact = { records, length: start };
    const next = expected + records.length;
    const commit = decodeCommit(bytes, start);
    if (commit === undefined) return { ...intact, ...judge(bytes.subarray(start), next) };
    const [head] = commit.records;
    if (head !== undefined && head.v > RECORD_VERSION) return { ...intact, kind: 'newer', version: head.v };
    if (head?.seq !== next)
      return { ...intact, kind: 'damaged', why: `found record ${head?.seq} where record ${next} was expected` };
    for (const record of commit.records) records.push(record);
    start = commit.end;
  }
  return { kind: 'whole', records, length: start };
}

/**
 * The records whose lines contain the text; no other line is parsed. Undefined where only `decodeRecords` can judge: the
 * bytes do not end with a whole commit, or one of these lines is not an intact record.
 */
export function recordsMentioning(bytes: Buffer, text: string): readonly JournalRecord[] | undefined {
  if (!endsWithWholeCommit(bytes)) return undefined;
  const records: JournalRecord[] = [];
  for (let at = bytes.indexOf(text); at !== -1; ) {
    const end = bytes.indexOf(LINE_END, at);
    const record = decodeLine(bytes.subarray(bytes.lastIndexOf(LINE_END, at) + 1, end), bytes.length);
    if (record === undefined || record.v > RECORD_VERSION) return undefined;
    records.push(record);
    at = bytes.indexOf(text, end);
  }
  return records;
}

function endsWithWholeCommit(bytes: Buffer): boolean {
  if (bytes.at(-1) !== LINE_END) return false;
  const last = lineFromEnd(bytes, 0);
  if (last === undefined) return false;
  if (last.first === undefined) return (last.last ?? last.seq) === last.seq;
  const head = lineFromEnd(bytes, last.seq - last.first);
  return head?.seq === last.first && head.last === last.seq;
}

/** The record with so many lines after it. */
function lineFromEnd(bytes: Buffer, after: number): JournalRecord | undefined {
  let end = bytes.length - 1;
  for (let count = 0; count < after && end > 0; count++) end = bytes.lastIndexOf(LINE_END, end - 1);
  if (end <= 0) return undefined;
  return decodeLine(bytes.subarray(bytes.lastIndexOf(LINE_END, end - 1) + 1, end), bytes.length);
}

/** The records of one commit; undefined if one of them is missing, since a commit counts whole or not at all. */
function decodeCommit(bytes: Buffer, start: number): { records: JournalRecord[]; end: number } | undefined {
  const records: JournalRecord[] = [];
  let at = start;
  for (;;) {
    const end = bytes.indexOf(LINE_END, at);
    const record = end === -1 ? undefined : decodeLine(bytes.subarray(at, end), bytes.length);
    if (record === undefined) return undefined;
    records.push(record);
    at = end + 1;
    const head = records[0] ?? record;
    if (record.v > RECORD_VERSION) return { records, end: at };
    if (record.seq !== head.seq + records.length - 1) return records.length === 1 ? { records, end: at } : undefined;
    if (record.seq >= (head.last ?? head.seq)) return { records, end: at };
  }
}

/**
 * A commit is one write and one sync, so a power failure may spoil any part of the last one. If an intact record of a later
 * commit follows, the bad one had been confirmed: that is damage. The search also looks inside lines, because the line end
 * before that record may be what was lost.
 */
function judge(rest: Buffer, expected: number): { kind: 'torn' } | { kind: 'damaged'; why: string } {
  for (const match of rest.toString('latin1').matchAll(START_OF_RECORD)) {
    const end = rest.indexOf(LINE_END, match.index);
    if (end === -1) break;
    const record = decodeLine(rest.subarray(match.index, end), rest.length);
    if (record !== undefined && (record.first ?? record.seq) > expected)
      return { kind: 'damaged', why: `record ${expected} is unreadable, but record ${record.seq} after it is intact` };
  }
  return { kind: 'torn' };
}

function decodeLine(line: Buffer, among: number): JournalRecord | undefined {
  const json = line.subarray(CHECKSUM_LENGTH + 1);
  if (line.length <= CHECKSUM_LENGTH || line[CHECKSUM_LENGTH] !== SPACE) return undefined;
  if (line.toString('latin1', 0, CHECKSUM_LENGTH) !== checksum(json, among)) return undefined;
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
}

function checksum(bytes: Uint8Array, among?: number): string {
  return crc32(bytes, among).toString(16).padStart(CHECKSUM_LENGTH, '0');
}

const START_OF_RECORD = /[0-9a-f]{8} \{/g;
const CHECKSUM_LENGTH = 8;
const SPACE = 0x20;
const LINE_END = 0x0a;
const NEWLINE = Buffer.from('\n');
