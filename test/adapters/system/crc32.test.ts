// CRC-32 without Node's zlib equals that of zlib, also where zlib takes over.
import { randomBytes } from 'node:crypto';
import { crc32 as crc32OfZlib } from 'node:zlib';
import { expect, test } from 'vitest';
import { crc32 } from '../../../src/adapters/system/crc32.ts';

const LENGTHS = [...Array.from({ length: 300 }, (_, length) => length), 8_191, 8_192, 8_193];

test('CRC-32 is that of node:zlib', () => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length);
    expect(crc32(bytes), `of ${length} bytes`).toBe(crc32OfZlib(bytes));
    expect(crc32(bytes, 1_000_000), `of ${length} bytes among many`).toBe(crc32OfZlib(bytes));
  }
});

test('a text has the checksum of its bytes in UTF-8', () => {
  for (const text of ['', 'plan', 'Prüfung', '計画 🏠', '\ud800', '語'.repeat(300), '語'.repeat(9_000)])
    expect(crc32(text)).toBe(crc32OfZlib(Buffer.from(text)));
});
