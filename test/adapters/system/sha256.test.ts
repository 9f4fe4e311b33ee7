// SHA-256 without Node's crypto equals that of crypto, for every length up to where crypto takes over.
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/adapters/system/sha256.ts';

const LENGTHS = [...Array.from({ length: 1_100 }, (_, length) => length), 5_000];

test('SHA-256 is that of node:crypto', () => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length);
    expect(sha256(bytes), `of ${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

test('a text has the digest of its bytes in UTF-8', () => {
  for (const text of ['', 'plan', 'Prüfung', '計画 🏠', '\ud800', '語'.repeat(300), '語'.repeat(1_000)]) {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});
