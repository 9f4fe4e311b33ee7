// One line of text with its checksum in front, for derived files that may be found half written.
import { isAscii } from 'node:buffer';
import { crc32 } from './crc32.ts';

export function withChecksum(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${checksum(bytes)} `), bytes, LINE_END]);
}

/** The text; undefined if it does not match its checksum. */
export function checkedText(line: Buffer): string | undefined {
  const space = line.indexOf(' ');
  const end = line.at(-1) === LINE_END[0] ? line.length - 1 : line.length;
  const bytes = line.subarray(space + 1, end);
  const isIntact = space !== -1 && line.toString('latin1', 0, space) === checksum(bytes);
  if (!isIntact) return undefined;
  // Megabytes of it are seldom anything but ASCII, which need not be decoded.
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

const LINE_END = Buffer.from('\n');

/**
 * The remainder of the bytes as one number. V8 computes that without a loop of ours, and for a short text sooner than
 * node:zlib is loaded; for a long one CRC-32 is quicker.
 */
function checksum(bytes: Buffer): string {
  if (bytes.length >= LONG) return `${crc32(bytes)}`;
  return `${BigInt(`0x1${bytes.toString('hex')}`) % PRIME}`;
}

const LONG = 131_072;

/**
 * The first digits of pi, down to the next prime. Modulo a prime next to a power of two, two wrong bytes cancel each other
 * out at certain distances: modulo 2^61 - 1 at every multiple of 61. Here they do at none below `LONG`.
 */
const PRIME = 0x6487ed5110b46081n;
