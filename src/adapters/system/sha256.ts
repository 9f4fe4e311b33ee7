// SHA-256. Node's crypto takes as long to load as a short command has to do, and the build loads it when it is first used: so a
// short text, such as the path of a repository, is done here.
import { createHash } from 'node:crypto';

const SHORT = 1024;

/** In hexadecimal. */
export function sha256(input: string | Uint8Array): string {
  if (input.length > SHORT) return createHash('sha256').update(input).digest('hex');
  return sha256Of(typeof input === 'string' ? Buffer.from(input) : input);
}

/** FIPS 180-4, section 6.2. */
function sha256Of(bytes: Uint8Array): string {
  const message = padded(bytes);
  const words = new Uint32Array(64);
  let hash: readonly number[] = FIRST_HASH;
  for (let block = 0; block < message.byteLength; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = message.getUint32(block + 4 * at);
    for (let at = 16; at < 64; at++)
      words[at] =
        wordAt(words, at - 16) +
        small(wordAt(words, at - 15), 7, 18, 3) +
        wordAt(words, at - 7) +
        small(wordAt(words, at - 2), 17, 19, 10);
    hash = afterBlock(hash, words);
  }
  return hash.map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** A one, zeros up to the end of a block, and in its last eight bytes the length in bits. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 4, bytes.length * 8);
  return view;
}

/** Sums of a few words fit a number exactly, and `>>> 0` takes them back to 32 bits. */
function afterBlock(hash: readonly number[], words: Uint32Array): readonly number[] {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let at = 0; at < 64; at++) {
    const one =
      h +
      (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
      ((e & f) ^ (~e & g)) +
      wordAt(ROUNDS, at) +
      wordAt(words, at);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + one) >>> 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) >>> 0;
  }
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + wordAt(hash, at)) >>> 0);
}

function wordAt(words: ArrayLike<number>, at: number): number {
  return words[at] ?? 0;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function small(word: number, first: number, second: number, shift: number): number {
  return turned(word, first) ^ turned(word, second) ^ (word >>> shift);
}

// biome-ignore format: as the standard prints them
const FIRST_HASH = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

// biome-ignore format: as the standard prints them
const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
