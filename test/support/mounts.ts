// Small and read-only file systems for a test, unmounted when it ends, passed or failed. They need root.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system in memory with this many KiB. */
export function smallDisk(kibibytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-mount-'));
  onTestFinished(() => rmdirSync(folder));
  mount(folder, '-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder);
  return folder;
}

/** Makes a folder read-only, even for root. Returns a function that makes it writable again. */
export function readOnly(folder: string): () => void {
  mount(folder, '--bind', folder, folder);
  execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
  return () => execFileSync('mount', ['-o', 'remount,bind,rw', folder]);
}

function mount(at: string, ...argv: readonly string[]): void {
  execFileSync('mount', argv);
  // Lazily, because a process may still be in it.
  onTestFinished(() => void spawnSync('umount', ['--lazy', at]));
}
