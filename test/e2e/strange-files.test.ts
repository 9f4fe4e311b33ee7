// Everything that an agent can put into the signals folder and is not a signal, a hundred of each kind, with a running engine.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { boxOf, bringPlans, everythingTakenFrom, quarantined, reachesStatus } from '../support/plans.ts';
import { type Engine, eventually, MAIN, type Repo, temporaryRepo, withAgentAndVerify } from '../support/repo.ts';
import { type Shared, sharedEngine } from '../support/shared-engine.ts';

const EACH = 100;
const SECRET = 'the-launch-code-is-8c1f77';
const TEBIBYTE = 2 ** 40;
/** Another user than the one who runs the tests. */
const SOMEBODY = 54_321;

interface Kind {
  readonly what: string;
  /** The code with which they are refused. */
  readonly code: string;
  /** A valid name, unless the name is what is strange: a link that was followed would count. */
  readonly name?: (index: number) => Buffer;
  readonly make: (paths: readonly Buffer[], place: Place) => void | Promise<void>;
}

interface Place extends Shared {
  readonly outside: string;
  readonly secret: string;
}

const KINDS: readonly Kind[] = [
  {
    what: 'symbolic links to a secret file',
    code: 'not-regular',
    make: (paths, { secret }) => each(paths, (path) => symlinkSync(secret, path)),
  },
  {
    what: 'symbolic links to /dev/zero',
    code: 'not-regular',
    make: (paths) => each(paths, (path) => symlinkSync('/dev/zero', path)),
  },
  {
    what: 'symbolic links to plan-state.json',
    code: 'not-regular',
    make: (paths, { repo }) => each(paths, (path) => symlinkSync(join(repo.plans, 'plan-state.json'), path)),
  },
  {
    what: 'symbolic links to nothing',
    code: 'not-regular',
    make: (paths) => each(paths, (path) => symlinkSync('/nowhere/at/all', path)),
  },
  {
    what: 'hard links to a secret file',
    code: 'not-ours',
    make: (paths, { secret }) => each(paths, (path) => linkSync(secret, path)),
  },
  {
    what: 'named pipes',
    code: 'not-regular',
    make: (paths) => void execFileSync('mkfifo', paths.map(String)),
  },
  {
    what: 'sockets',
    code: 'not-regular',
    make: async (paths) => void (await Promise.all(paths.map(makeSocket))),
  },
  {
    what: 'folders, empty and full',
    code: 'not-regular',
    make: (paths) => each(paths, makeFolder),
  },
  {
    what: 'sparse files of a tebibyte',
    code: 'too-large',
    make: (paths) => each(paths, makeHuge),
  },
  {
    what: 'review changes that are no text',
    code: 'not-utf8',
    make: (paths) => each(paths, (path, index) => writeFileSync(path, pick(NO_TEXT, index))),
  },
  {
    what: 'names that are no signal',
    code: 'bad-name',
    name: (index) => pick(BAD_NAMES, index)(index),
    make: (paths) => each(paths, (path) => writeFileSync(path, 'well?')),
  },
  {
    what: 'decisions that are a person’s',
    code: 'user-only',
    name: (index) => Buffer.from(`${pick(['cancel', 'reopen', 'start-over'], index)}-${victim(index)}`),
    make: (paths) => each(paths, (path) => writeFileSync(path, '')),
  },
];

const KINDS_OF_ROOT: readonly Kind[] = [
  {
    what: 'device nodes',
    code: 'not-regular',
    make: (paths) =>
      void execFileSync('sh', ['-c', 'for path; do mknod "$path" c 1 5; done', 'sh', ...paths.map(String)]),
  },
  {
    what: 'files of another user',
    code: 'not-ours',
    make: (paths) =>
      each(paths, (path) => {
        writeFileSync(path, SECRET);
        chmodSync(path, 0o600);
        chownSync(path, SOMEBODY, SOMEBODY);
      }),
  },
];

const NO_TEXT: readonly Buffer[] = [
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x02, 0x01, 0x01, 0x00, 0xde, 0xad]),
  Buffer.from('please change\0this'),
  Buffer.from([0x66, 0x69, 0x78, 0xff, 0xfe]),
  // A lone surrogate, and an overlong "/".
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xc0, 0xaf]),
];

const BAD_NAMES: readonly ((index: number) => Buffer)[] = [
  (index) => Buffer.from(`implement-finnished-${victim(index)}`),
  (index) => Buffer.from(`REVIEW-APPROVED-${victim(index)}`),
  (index) => Buffer.from(`review-approved-plan-${index}`),
  (index) => Buffer.from(`fix-finished-${victim(index)}`),
  (index) => Buffer.from(`review-approved-..%2f..%2f${victim(index)}`),
  (index) => Buffer.from(`review-approved-..\\..\\${victim(index)}`),
  (index) => Buffer.from(`review-approved-..${victim(index)}`),
  (index) => Buffer.from(`review-approved-\n${victim(index)}`),
  (index) => Buffer.from(`\x1b[2J\x1b[31mreview-approved-${victim(index)}`),
  (index) => Buffer.from(`review-approved-\x1b]0;owned\x07${victim(index)}`),
  (index) => Buffer.from(`review-approved-\u202e${victim(index)}`),
  (index) => Buffer.from(`review-approved-\u009b31m${victim(index)}`),
  (index) => Buffer.from(`__proto__-${victim(index)}`),
  (index) => Buffer.from(`review-approved-${index}-`.padEnd(252, 'x').concat('.md')),
  (index) => Buffer.concat([Buffer.from(`review-approved-${index}`), Buffer.from([0xff, 0xfe]), Buffer.from('.md')]),
  (index) => Buffer.concat([Buffer.from(`review-approved-${index}`), Buffer.from([0xc0, 0xaf]), Buffer.from('.md')]),
];

// A verdict on any of a hundred plans would count.
const victims = Array.from({ length: EACH }, (_, index) => [victim(index), 'reviewing']);
const shared = sharedEngine({ ...Object.fromEntries(victims), 'good.md': 'implementing' });
let place: Place;
let atFirst: { readonly memory: number; readonly read: number };

beforeAll(() => {
  const outside = join(shared().base, 'outside');
  const secret = join(outside, 'secret');
  mkdirSync(outside);
  writeFileSync(secret, `${SECRET}\n`, { mode: 0o600 });
  place = { ...shared(), outside, secret };
  atFirst = appetiteOf(place.engine);
});

for (const kind of KINDS)
  test(`a hundred ${kind.what} are quarantined with their reasons and affect nothing`, () => moveAside(kind));

needing('root', () => {
  for (const kind of KINDS_OF_ROOT)
    test(`a hundred ${kind.what} are quarantined with their reasons and affect nothing`, () => moveAside(kind));
});

async function moveAside(kind: Kind): Promise<void> {
  const { repo, outside } = place;
  const before = { outside: fingerprint(outside), repo: fingerprint(repo.root), kept: idsKept() };
  const inodes = await dropAll(kind);
  await everythingMovedAside();
  expect(fingerprint(outside)).toEqual(before.outside);
  expect(fingerprint(repo.root)).toEqual(before.repo);
  expect(victimsThatMoved(repo)).toEqual([]);
  expectKept(kind, before.kept, inodes);
}

needing('proc', () => {
  test('none of them was read, however large, and together they cost the engine little memory', () => {
    const { memory, read } = appetiteOf(place.engine);
    // This includes uncollected garbage. Reading the files would take a thousand times as much.
    expect(memory - atFirst.memory).toBeLessThan(128 * 1024 * 1024);
    expect(read - atFirst.read).toBeLessThan(64 * 1024 * 1024);
  });
});

test('the list has every quarantined file with the reason that is kept beside it', async () => {
  await dropAll(pick(KINDS, 0));
  await everythingMovedAside();
  const listed = quarantined(place.repo).map(({ id, code, why }) => ({ id, code, why }));
  expect(listed.length).toBeGreaterThanOrEqual(EACH);
  expect(new Set(listed.map((one) => one.id))).toEqual(idsKept());
  expect(listed).toEqual(listed.map(({ id }) => reasonOf(id)));
});

test('dotfiles are left alone', async () => {
  const { repo } = place;
  const before = idsKept();
  const names = Array.from({ length: EACH }, (_, index) => `.review-approved-${victim(index)}`);
  for (const name of names) writeFileSync(join(repo.signals, name), '');
  symlinkSync('/dev/zero', join(repo.signals, '.zero'));
  await hearGoodSignal();
  await everythingTakenFrom(repo.signals);
  expect(readdirSync(repo.signals).sort()).toEqual([...names, '.zero'].sort());
  expect(victimsThatMoved(repo)).toEqual([]);
  expect(keptSince(before)).toEqual([]);
});

test('bytes in a signal without a body are ignored', async () => {
  const { repo } = place;
  if (repo.status('good.md') === 'reviewing') await hearGoodSignal();
  writeFileSync(join(repo.signals, 'implement-finished-good.md'), pick(NO_TEXT, 0));
  await reachesStatus(repo, 'good.md', 'reviewing');
});

test('named pipes in the folder and in a box block neither other signals nor any command', async () => {
  const { repo } = place;
  const box = boxOf(repo, 'piper');
  mkdirSync(box, { recursive: true });
  const pipes = Array.from({ length: 64 }, (_, index) => `.pipe-${index}`);
  execFileSync(
    'mkfifo',
    [repo.signals, box].flatMap((folder) => pipes.map((pipe) => join(folder, pipe))),
  );
  await hearGoodSignal();
  withAgentAndVerify(repo);
  for (const command of ['status', 'log', 'doctor', 'quarantine'])
    expect(repo.cadre(command), command).toMatchObject({ code: 0 });
});

test('pipes count as waiting signals without being opened', () => {
  const repo = temporaryRepo();
  mkdirSync(repo.signals);
  const pipes = Array.from({ length: EACH }, (_, index) => join(repo.signals, `review-changes-${victim(index)}`));
  execFileSync('mkfifo', pipes);
  expect(repo.json('status')).toMatchObject({ waitingSignals: EACH, engine: null });
});

test('a secret that was linked into the folder is neither in cadre’s files nor in its output', async () => {
  const { repo, engine } = place;
  await linkSecret('first');
  const ours = filesIn(repo.home).filter(isOurs);
  expect(ours.length).toBeGreaterThan(2);
  expect(ours.filter((path) => beginning(path).includes(SECRET))).toEqual([]);
  const said = [...engine.lines, ...['log', 'quarantine'].map((command) => repo.cadre(command).stdout)];
  expect(said.filter((text) => text.includes(SECRET))).toEqual([]);
});

test('a secret that was linked into the folder is not shown from quarantine', async () => {
  const { repo } = place;
  const before = idsKept();
  await linkSecret('second');
  const shown = keptSince(before).map((id) => repo.cadre('quarantine', 'show', id).stdout);
  expect(shown).toHaveLength(2);
  expect(shown.filter((text) => text.includes(SECRET))).toEqual([]);
});

test('no control character in a file’s name reaches the terminal', async () => {
  const { repo, engine } = place;
  const before = idsKept();
  const names = BAD_NAMES.map((name, index) => name(index)).filter((name) => DANGEROUS.test(String(name)));
  for (const name of names) writeFileSync(inFolder(repo.signals, name), 'x');
  await everythingMovedAside();
  const shown = keptSince(before).map((id) => repo.cadre('quarantine', 'show', id).stdout);
  expect(shown).toHaveLength(names.length);
  const texts = [...engine.lines, repo.cadre('log').stdout, repo.cadre('quarantine').stdout, ...shown];
  expect(texts.filter((text) => DANGEROUS.test(text))).toEqual([]);
});

test('a hard link that is dropped again under the same name is quarantined again', async () => {
  const { repo, outside } = place;
  const file = join(outside, 'often linked');
  const sentinel = join(repo.signals, 'review-approved-plan-0.md');
  writeFileSync(file, SECRET);
  onTestFinished(() => rmSync(sentinel, { force: true }));
  for (const before of [idsKept().size, idsKept().size + 1]) {
    linkSync(file, sentinel);
    await everythingMovedAside();
    expect(idsKept().size).toBe(before + 1);
  }
});

needing('root', () => {
  test('folders without permissions are quarantined by an engine without root’s rights, and block no other signal', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'good.md': 'implementing' });
    mkdirSync(repo.signals);
    // More than an engine checks in one round.
    for (let index = 0; index < 520; index++) mkdirSync(join(repo.signals, `folder-${index}`), { mode: 0 });
    execFileSync('chown', ['-R', `${SOMEBODY}:${SOMEBODY}`, join(repo.root, '..')]);
    const engine = spawn(process.execPath, [MAIN, 'watch'], {
      cwd: repo.root,
      env: repo.env,
      uid: SOMEBODY,
      gid: SOMEBODY,
      stdio: 'ignore',
    });
    const ended = once(engine, 'exit');
    onTestFinished(async () => {
      engine.kill('SIGKILL');
      await ended;
    });
    const sentinel = join(repo.signals, 'implement-finished-good.md');
    writeFileSync(sentinel, '');
    chownSync(sentinel, SOMEBODY, SOMEBODY);
    await reachesStatus(repo, 'good.md', 'reviewing');
    await everythingTakenFrom(repo.signals);
  });
});

/** C0 without tab and line feed, DEL, C1, and bidirectional controls. */
const DANGEROUS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

function victim(index: number): string {
  return `plan-${index}.md`;
}

/** Creates them elsewhere and moves them in, with a valid signal among them. Returns their inodes. */
async function dropAll(kind: Kind): Promise<ReadonlySet<number>> {
  const { base, repo } = place;
  const aside = mkdtempSync(join(base, 'aside-'));
  const name = kind.name ?? ((index) => Buffer.from(`review-changes-${victim(index)}`));
  const names = Array.from({ length: EACH }, (_, index) => name(index));
  await kind.make(
    names.map((one) => inFolder(aside, one)),
    place,
  );
  const inodes = new Set(names.map((one) => lstatSync(inFolder(aside, one)).ino));
  const move = (one: Buffer): void => renameSync(inFolder(aside, one), inFolder(repo.signals, one));
  each(names.slice(0, EACH / 2), move);
  const heard = hearGoodSignal();
  each(names.slice(EACH / 2), move);
  await heard;
  return inodes;
}

/** One more step of a plan that is not under attack. */
async function hearGoodSignal(): Promise<void> {
  const { repo } = place;
  const underReview = repo.status('good.md') === 'reviewing';
  const name = underReview ? 'review-changes' : 'implement-finished';
  writeFileSync(join(repo.signals, `${name}-good.md`), underReview ? 'once more' : '');
  await reachesStatus(repo, 'good.md', underReview ? 'implementing' : 'reviewing');
}

/** Links two secrets into the folder, one with a hard link and one with a symbolic link, so that the tests are independent. */
async function linkSecret(name: string): Promise<void> {
  const { repo, outside } = place;
  const secret = join(outside, name);
  writeFileSync(secret, `${SECRET}\n`);
  linkSync(secret, join(repo.signals, `review-changes-${victim(0)}`));
  symlinkSync(secret, join(repo.signals, `review-changes-${victim(1)}`));
  await everythingMovedAside();
}

/** The folder is empty, and everything in quarantine has a reason. */
async function everythingMovedAside(): Promise<void> {
  const { repo } = place;
  await everythingTakenFrom(repo.signals);
  await eventually(
    () => {
      const names = new Set(readdirSync(inQuarantine()));
      return [...names].filter((name) => name.endsWith('.original') && !names.has(name.replace('.original', '.json')));
    },
    (withoutReason) => withoutReason.length === 0,
  );
}

/** The ids of everything in quarantine. */
function idsKept(): ReadonlySet<string> {
  const names = readdirSync(inQuarantine());
  return new Set(names.filter((name) => name.endsWith('.original')).map((name) => name.replace('.original', '')));
}

function keptSince(before: ReadonlySet<string>): readonly string[] {
  return [...idsKept()].filter((id) => !before.has(id));
}

function expectKept(kind: Kind, before: ReadonlySet<string>, inodes: ReadonlySet<number>): void {
  const ids = keptSince(before);
  expect(new Set(ids.map((id) => lstatSync(inQuarantine(`${id}.original`)).ino))).toEqual(inodes);
  const reasons = ids.map(reasonOf);
  expect(reasons).toHaveLength(EACH);
  expect(reasons.filter(({ code, why }) => code !== kind.code || !/^\S.{20,}\.$/su.test(why))).toEqual([]);
}

function reasonOf(id: string): { readonly id: string; readonly code: string; readonly why: string } {
  const { code, why } = JSON.parse(readFileSync(inQuarantine(`${id}.json`), 'utf8'));
  return { id, code, why };
}

function inQuarantine(name = ''): string {
  return join(place.repo.state(), 'quarantine', name);
}

function victimsThatMoved(repo: Repo): readonly string[] {
  return Object.entries(repo.planState().plans).flatMap(([plan, { status }]) =>
    plan === 'good.md' || status === 'reviewing' ? [] : [`${plan} is ${status}`],
  );
}

/** A quarantined link is still the secret itself. A copy would have one link and belong to us. */
function isOurs(path: string): boolean {
  const facts = lstatSync(path);
  return facts.isFile() && facts.nlink === 1 && facts.uid === process.geteuid?.();
}

/** Everything in a folder except what cadre writes, by path. */
function fingerprint(root: string): Readonly<Record<string, string>> {
  const changing = ['.signals', 'plan-state.json', '.plan-state.lock'].map((name) => join(root, 'docs', 'plans', name));
  const paths = filesIn(root).filter((path) => !changing.some((one) => path.startsWith(one)));
  return Object.fromEntries(paths.map((path) => [relative(root, path), describeFile(path)]));
}

function describeFile(path: string): string {
  const facts = lstatSync(path);
  const content = facts.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
  return [facts.mode, facts.uid, facts.mtimeMs, createHash('sha256').update(content).digest('hex')].join(' ');
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** At most the size of a signal: a huge file is not read completely. */
function beginning(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(1024 * 1024);
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}

/** A socket file survives if it is renamed before its server closes. */
async function makeSocket(path: Buffer): Promise<void> {
  const server = createServer();
  const bound = `${path}.s`;
  await new Promise<void>((listening) => server.listen(bound, listening));
  renameSync(bound, path);
  await new Promise((closed) => server.close(closed));
}

function makeFolder(path: Buffer, index: number): void {
  mkdirSync(path);
  if (index % 2 === 0) return;
  mkdirSync(join(String(path), 'deeper'));
  writeFileSync(join(String(path), 'deeper', 'review-approved-plan-1.md'), 'hidden');
}

function makeHuge(path: Buffer): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, TEBIBYTE);
  closeSync(file);
}

function each<T>(all: readonly T[], act: (one: T, index: number) => void): void {
  for (const [index, one] of all.entries()) act(one, index);
}

function pick<T>(all: readonly T[], index: number): T {
  return all[index % all.length] as T;
}

function inFolder(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

/** Its peak memory, and all bytes that it has read. */
function appetiteOf(engine: Engine): { readonly memory: number; readonly read: number } {
  const { pid } = engine.process;
  return {
    memory: inProc(`/proc/${pid}/status`, /^VmHWM:\s+(\d+) kB/m) * 1024,
    read: inProc(`/proc/${pid}/io`, /^rchar: (\d+)/m),
  };
}

/** A number from a file in /proc; zero without /proc, where no test uses it. */
function inProc(path: string, number: RegExp): number {
  return existsSync(path) ? Number(number.exec(readFileSync(path, 'utf8'))?.[1]) : 0;
}
