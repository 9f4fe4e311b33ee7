// CRC-32. Loading node:zlib takes as long as a short command has to do, and the build loads it when it is first used: so a
// short text, such as a single record, is done here.
import { crc32 as crc32OfZlib } from 'node:zlib';

/** From this many bytes on zlib is quicker, even if it has to be loaded. */
const LONG = 8_192;

/** `among`: how many bytes are summed one after the other, if these are not all. */
export function crc32(input: string | Uint8Array, among = input.length): number {
  if (among >= LONG) return crc32OfZlib(input);
  return crc32Of(typeof input === 'string' ? Buffer.from(input) : input);
}

/** ISO 3309, four bits at a time. */
function crc32Of(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    sum = (sum >>> 4) ^ (REMAINDERS[sum & 15] ?? 0);
    sum = (sum >>> 4) ^ (REMAINDERS[sum & 15] ?? 0);
  }
  return ~sum >>> 0;
}

/** What each value of four bits leaves when it is divided by the polynomial 0xedb88320. */
// biome-ignore format: a table
const REMAINDERS = [
  0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
  0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
];
