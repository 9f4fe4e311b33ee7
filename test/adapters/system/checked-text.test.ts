// Text with a checksum in front: read back as it was written, and not at all once anything about it has changed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkedText, withChecksum } from '../../../src/adapters/system/checked-text.ts';

test('any text is read back, wherever in memory its bytes are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(7), (text, offset) => {
      const line = withChecksum(text);
      expect(checkedText(line)).toBe(text);
      const moved = Buffer.from(new ArrayBuffer(line.length + offset), offset);
      line.copy(moved);
      expect(checkedText(moved)).toBe(text);
    }),
  );
});

test('a flipped bit, a missing end, zeros and words in another order are noticed', () => {
  const line = withChecksum('{"plans":["a.md","b.md"],"seq":123456}');
  for (let bit = 0; bit < (line.length - 1) * 8; bit++) {
    const spoiled = Buffer.from(line);
    spoiled[bit >> 3] = (spoiled[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(checkedText(spoiled), `bit ${bit}`).toBeUndefined();
  }
  for (let length = 0; length < line.length - 1; length++)
    expect(checkedText(line.subarray(0, length)), `cut after ${length} bytes`).toBeUndefined();
  expect(checkedText(Buffer.alloc(line.length))).toBeUndefined();
  const swapped = Buffer.concat([
    line.subarray(0, 20),
    line.subarray(24, 28),
    line.subarray(20, 24),
    line.subarray(28),
  ]);
  expect(checkedText(swapped)).toBeUndefined();
});

test('two wrong bytes are noticed at any distance from each other, also where one grew by what the other lost', () => {
  const line = withChecksum('5'.repeat(3_000));
  const first = line.indexOf(' ') + 1;
  for (let other = first + 1; other < line.length - 1; other++) {
    const spoiled = Buffer.from(line);
    spoiled[first] = '6'.charCodeAt(0);
    spoiled[other] = '4'.charCodeAt(0);
    expect(checkedText(spoiled), `${other - first} bytes apart`).toBeUndefined();
  }
});
