// Loading the program from packs: a module runs when it is first used, and only once.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compiledPath, openPacks, packPath } from '../../src/packs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-packs-'));
  writeFileSync(packPath(folder, 0), '"use strict";[(use)=>({far:()=>use(2)}),()=>({name:"near"})]');
  writeFileSync(packPath(folder, 1), '"use strict";[(use)=>({name:use(1).name+" and far"})]');
});
afterEach(() => rmSync(folder, { recursive: true }));

const STARTS = [0, 2];

test('a module runs when it is first used', () => {
  const packs = openPacks(folder, STARTS);
  const { far } = packs.use(0) as { far(): unknown };
  expect(packs.used()).toEqual([0]);
  expect(far()).toEqual({ name: 'near and far' });
  expect(packs.used()).toEqual([0, 1, 2]);
});

test('a module runs once', () => {
  const packs = openPacks(folder, STARTS);
  expect(packs.use(2)).toBe(packs.use(2));
});

test('a pack that nothing is used of is not read', () => {
  rmSync(packPath(folder, 1));
  expect(openPacks(folder, STARTS).use(1)).toEqual({ name: 'near' });
});

test.each([
  ['what V8 made of it', () => openPacks(folder, STARTS).compiled(1)],
  ['what does not fit it', () => openPacks(folder, STARTS).compiled(0)],
  ['bytes of something else', () => Buffer.from('something else')],
])('a pack works with %s', (_, bytes) => {
  writeFileSync(compiledPath(packPath(folder, 1)), bytes());
  expect(openPacks(folder, STARTS).use(2)).toEqual({ name: 'near and far' });
});
