// announced.json: what the next engine knows of what was announced.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announcedFile } from '../../../src/adapters/notify/announced-file.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { failureOf, temporaryFolder } from '../../support/pieces.ts';

test('what is remembered is known to the next engine', () => {
  const path = join(temporaryFolder(), 'announced.json');
  announcedFile(disk, path).remember(['a b', '"ü"']);
  expect(announcedFile(disk, path).announced()).toEqual(['a b', '"ü"']);
});

test('a file that is missing or is something else says nothing', () => {
  const path = join(temporaryFolder(), 'announced.json');
  const { announced, remember } = announcedFile(disk, path);
  expect(announced()).toBeUndefined();
  for (const text of ['', '{', '{}', '[1]', 'null', '\0\0\0']) {
    writeFileSync(path, text);
    expect(announced()).toBeUndefined();
  }
  remember(['a']);
  expect(announced()).toEqual(['a']);
  rmSync(path);
  expect(announced()).toBeUndefined();
});

test('on a disk that fails nothing is known, and what cannot be kept is a Failure and leaves what was kept', async () => {
  const path = join(temporaryFolder(), 'announced.json');
  announcedFile(disk, path).remember(['a']);
  const broken = faultyDisk();
  broken.fail({ on: 'open', forGood: true }, 'EIO');
  const { announced, remember } = announcedFile(broken.disk, path);
  expect(announced()).toBeUndefined();
  expect(await failureOf(async () => remember(['b']))).toMatchObject({ code: 'EIO' });
  broken.heal();
  expect(announced()).toEqual(['a']);
});
