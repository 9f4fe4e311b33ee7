// The journal's bytes: one record a line, a checksum before it, and how to tell a torn end from damage.
import { crc32 } from 'node:zlib';
import { type JournalRecord, RECORD_VERSION } from '../core/record.ts';

export function encodeRecord(record: JournalRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record), 'utf8');
  return Buffer.concat([Buffer.from(`${checksum(json)} `), json, NEWLINE]);
}

export type SegmentRead =
  | { readonly kind: 'whole'; readonly records: readonly JournalRecord[]; readonly length: number }
  /** The bytes from `length` on were being written when something stopped the writer; nobody was told of them. */
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

/** Reads as many records as are sound, the first of which must have the number `expected`. */
export function decodeRecords(bytes: Buffer, expected: number): SegmentRead {
  const records: JournalRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(LINE_END, start);
    const record = end === -1 ? undefined : decodeLine(bytes.subarray(start, end));
    const sound = { records, length: start };
    if (record === undefined) return { ...sound, ...judge(bytes.subarray(start), expected + records.length) };
    if (record.v > RECORD_VERSION) return { ...sound, kind: 'newer', version: record.v };
    if (record.seq !== expected + records.length)
      return {
        ...sound,
        kind: 'damaged',
        why: `record ${record.seq} stands where ${expected + records.length} should be`,
      };
    records.push(record);
    start = end + 1;
  }
  return { kind: 'whole', records, length: start };
}

/**
 * A commit is one write and one sync, so a power failure may spoil any part of the last one. Where a sound record
 * follows that was committed later than the bad one, the bad one had been confirmed: that is damage.
 */
function judge(rest: Buffer, expected: number): { kind: 'torn' } | { kind: 'damaged'; why: string } {
  for (let start = 0; start < rest.length; ) {
    const end = rest.indexOf(LINE_END, start);
    if (end === -1) break;
    const record = decodeLine(rest.subarray(start, end));
    if (record !== undefined && (record.first ?? record.seq) > expected)
      return { kind: 'damaged', why: `record ${expected} is unreadable, while record ${record.seq} after it is sound` };
    start = end + 1;
  }
  return { kind: 'torn' };
}

function decodeLine(line: Buffer): JournalRecord | undefined {
  const json = line.subarray(CHECKSUM_LENGTH + 1);
  if (line.length <= CHECKSUM_LENGTH || line[CHECKSUM_LENGTH] !== SPACE) return undefined;
  if (line.toString('latin1', 0, CHECKSUM_LENGTH) !== checksum(json)) return undefined;
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    return undefined;
  }
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(CHECKSUM_LENGTH, '0');
}

const CHECKSUM_LENGTH = 8;
const SPACE = 0x20;
const LINE_END = 0x0a;
const NEWLINE = Buffer.from('\n');
