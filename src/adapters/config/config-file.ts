// The configuration in its two files, ~/.cadre/config.json and cadre.json of the main checkout: read, validated, merged, and
// changed one setting at a time.

import { dirname } from 'node:path';
import type { Config } from '../../agents/profiles.ts';
import { explained, Failure, type FailureCode } from '../../core/model/failure.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import type { ConfigReading, KnownSetting, SettingChange } from '../../core/ports/config-files.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { type ConfigPlace, isMisplaced, layered, type Settings } from '../../core/settings/settings.ts';
import { findJsonMistake } from '../../text/json-position.ts';
import { showName, showText } from '../../text/show.ts';
import { isMisspelt } from '../../text/similar-words.ts';
import { ensureFolder, readWhole, replaceFile } from '../system/files.ts';
import { decodeText } from '../system/signal-file.ts';
import type { Invalid } from './config-schema.ts';

export interface ConfigPlaces {
  readonly disk: Disk;
  readonly global: string;
  /** Undefined outside of a repository. */
  readonly project: string | undefined;
}

/** Written into new files, for editors. The schema is part of the npm package. */
export const SCHEMA_ADDRESS = 'https://unpkg.com/cadre/docs/config.schema.json';

type Values = Readonly<Record<string, unknown>>;

export async function readConfig(places: ConfigPlaces): Promise<ConfigReading> {
  const files = placesOf(places).flatMap(({ place, path }) => {
    const values = valuesIn(places.disk, path);
    return values === undefined ? [] : [{ place, path, values }];
  });
  const checked = await Promise.all(files.map(checkFile));
  const configs = files.map(usable);
  const from = files.flatMap(({ place }, index) =>
    Object.keys(configs[index] ?? {}).map((key) => [key, place] as const),
  );
  const problems = checked.flatMap((one) => one.problems);
  return {
    // One invalid value invalidates everything: half a configuration would be a surprise.
    settings: problems.length === 0 ? layered(...configs) : layered(),
    from: Object.fromEntries(problems.length === 0 ? from : []),
    problems,
    warnings: checked.flatMap((one) => one.warnings),
  };
}

/** The settings to work by. Fails with every problem if any value is invalid. */
export async function loadSettings(
  places: ConfigPlaces,
  flags: Config = {},
): Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }> {
  const { settings, problems, warnings } = await readConfig(places);
  if (problems.length > 0) throw new Failure('person', 'bad-config', problems.join('\n'));
  return { settings: layered(settings, flags), warnings };
}

export async function knownSettings(): Promise<readonly KnownSetting[]> {
  return (await loadSchema()).everySetting().filter(({ key }) => key !== '$schema');
}

export interface ConfigLock {
  readonly locks: Locks;
  readonly path: string;
}

export interface NewSetting {
  readonly place: ConfigPlace;
  readonly key: string;
  readonly value: string;
}

/** Takes a lock, so that two changes at the same time are both kept. */
export async function setConfig(
  places: ConfigPlaces,
  { locks, path: lock }: ConfigLock,
  { place, key, value }: NewSetting,
): Promise<SettingChange> {
  const path = place === 'global' ? places.global : places.project;
  if (path === undefined)
    return refused('no-repo', 'This folder is not in a git repository, so there is no project to set it for.');
  const keys = key.split('.');
  if (isMisplaced(place, keys[0] ?? '')) return misplaced(place, key);
  // What is refused anyway leaves no lock behind.
  const first = await changed(places.disk, path, keys, value);
  if (first.kind === 'refused') return first;
  explained('prepare', dirname(lock), () => ensureFolder(places.disk, dirname(lock), 0o700));
  const held = await locks.take(lock, LOCK_TIMEOUT);
  try {
    return await writeSetting(places.disk, path, keys, value);
  } finally {
    held.release();
  }
}

function misplaced(place: ConfigPlace, key: string): SettingChange {
  return place === 'global'
    ? refused('project-only', `"${showName(key)}" can only be set for a project. Add --project, in the project.`)
    : refused('global-only', `"${showName(key)}" is a personal setting, not one of a project. Leave out --project.`);
}

/** In milliseconds. */
const LOCK_TIMEOUT = 10_000;

async function writeSetting(disk: Disk, path: string, keys: readonly string[], typed: string): Promise<SettingChange> {
  const change = await changed(disk, path, keys, typed);
  if (change.kind === 'refused') return change;
  const text = `${JSON.stringify(change.values, null, 2)}\n`;
  explained('write', path, () => replaceFile(disk, path, Buffer.from(text)));
  return { kind: 'set', path, value: change.value };
}

/** The values of the file with the change. */
function changed(disk: Disk, path: string, keys: readonly string[], typed: string): Promise<Checked> {
  return firstValid(path, valuesIn(disk, path) ?? { $schema: SCHEMA_ADDRESS }, keys, typed);
}

type Checked =
  | { readonly kind: 'valid'; readonly values: Values; readonly value: unknown }
  | Extract<SettingChange, { kind: 'refused' }>;

/** A typed value may be text or JSON. The first interpretation that the setting accepts is used. */
async function firstValid(path: string, before: Values, keys: readonly string[], typed: string): Promise<Checked> {
  let last: Checked = refused('bad-value', '');
  for (const value of interpretations(typed)) {
    last = await checkChange(path, before, keys, value);
    if (last.kind === 'valid' || last.code !== 'bad-value') return last;
  }
  return last;
}

/** A list, an object or a quoted text is JSON; anything else is tried as plain text first. */
function interpretations(typed: string): readonly unknown[] {
  if (findJsonMistake(typed) !== undefined) return [typed];
  const parsed: unknown = JSON.parse(typed);
  return /^\s*[[{"]/.test(typed) ? [parsed] : [typed, parsed];
}

async function checkChange(path: string, before: Values, keys: readonly string[], value: unknown): Promise<Checked> {
  const values = withValue(before, keys, value);
  if (values === undefined)
    return refused('unknown-setting', `"${showName(keys.join('.'))}" is inside a value that has no parts.`);
  const { problems, unknown } = (await loadSchema()).validate(values);
  const isAbout = (other: readonly PropertyKey[]): boolean =>
    keys.every((key, index) => index >= other.length || other[index] === key);
  if (unknown.some((one) => one.length <= keys.length && isAbout(one)))
    return refused(
      'unknown-setting',
      `Unknown setting "${showName(keys.join('.'))}".${await similarSetting(keys)}`,
      suggest('config-show'),
    );
  const wrong = problems.filter((problem) => isAbout(problem.path));
  if (wrong.length > 0)
    return refused('bad-value', wrong.map((problem) => sentence(undefined, problem, values)).join('\n'));
  if (problems.length > 0)
    return refused('bad-config', problems.map((problem) => sentence(path, problem, values)).join('\n'));
  return { kind: 'valid', values, value };
}

/** A question behind the message, if the first or the second part of the key looks misspelt. */
async function similarSetting([first = '', second]: readonly string[]): Promise<string> {
  const { names } = await loadSchema();
  const nearest = (typed: string, known: readonly string[]): string | undefined =>
    known.find((name) => name === typed || isMisspelt(typed, name)) ??
    only(known.filter((name) => name.startsWith(typed)));
  const meant = nearest(first, names([]));
  if (meant === undefined) return '';
  if (second === undefined) return ` Did you mean "${meant}"?`;
  const part = nearest(second, names([meant]));
  return part === undefined ? '' : ` Did you mean "${meant}.${part}"?`;
}

function only(found: readonly string[]): string | undefined {
  return found.length === 1 ? found[0] : undefined;
}

function withValue(values: Values, [key = '', ...rest]: readonly string[], value: unknown): Values | undefined {
  if (rest.length === 0) return { ...values, [key]: value };
  const below = Object.hasOwn(values, key) ? values[key] : {};
  const inner = isValues(below) ? withValue(below, rest, value) : undefined;
  return inner === undefined ? undefined : { ...values, [key]: inner };
}

function placesOf({
  global,
  project,
}: ConfigPlaces): readonly { readonly place: ConfigPlace; readonly path: string }[] {
  return [
    { place: 'global', path: global },
    ...(project === undefined ? [] : [{ place: 'project', path: project } as const]),
  ];
}

/** Undefined if the file is missing. */
function valuesIn(disk: Disk, path: string): Values | undefined {
  const bytes = explained('read', path, () => readWhole(disk, path));
  if (bytes === undefined) return undefined;
  const text = decodeText(bytes)?.replace(/^\ufeff/, '');
  if (text === undefined) throw broken(path, 'is not UTF-8 text, or contains NUL bytes');
  const mistake = findJsonMistake(text);
  if (mistake !== undefined)
    throw broken(path, `is not JSON: at line ${mistake.line}, column ${mistake.column}, ${showText(mistake.why)}`);
  const values: unknown = JSON.parse(text);
  if (!isValues(values)) throw broken(path, 'must be an object: { "setting": value }');
  return values;
}

function broken(path: string, why: string): Failure {
  return new Failure('person', 'broken-config', `${showText(path)} ${why}. Fix it, then try again.`);
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface ConfigFile {
  readonly place: ConfigPlace;
  readonly path: string;
  readonly values: Values;
}

async function checkFile({
  place,
  path,
  values,
}: ConfigFile): Promise<{ readonly problems: readonly string[]; readonly warnings: readonly string[] }> {
  const { problems, unknown } = (await loadSchema()).validate(values);
  return {
    problems: problems.map((problem) => sentence(path, problem, values)),
    warnings: [
      ...unknown.map(
        (keys) => `${showText(path)}: unknown setting "${showName(keys.join('.'))}"; it is kept and has no effect.`,
      ),
      ...Object.keys(values)
        .filter((key) => isMisplaced(place, key))
        .map((key) => `${showText(path)}: "${key}" is read only from ${READ_FROM[place]}; here it has no effect.`),
      ...walledProfiles(place, values).map(
        (name) =>
          `${showText(path)}: "profiles.${showName(name)}.sandbox" is read only from ${READ_FROM.project}; here it has no effect.`,
      ),
    ],
  };
}

/** Where a setting that is in this file should be. */
const READ_FROM: { readonly [place in ConfigPlace]: string } = {
  global: "a project's cadre.json",
  project: 'your own config.json',
};

/** Loaded on demand: most commands do not need zod, and would pay for it at every start. */
function loadSchema(): Promise<typeof import('./config-schema.ts')> {
  return import('./config-schema.js');
}

/** The profiles of a project that say something about their wall. A merge must not take a wall away. */
function walledProfiles(place: ConfigPlace, { profiles }: Values): readonly string[] {
  if (place === 'global' || !isValues(profiles)) return [];
  return Object.keys(profiles).filter((name) => Object.hasOwn(Object(profiles[name]), 'sandbox'));
}

function usable({ place, values }: ConfigFile): Config {
  const own = Object.fromEntries(
    Object.entries(values).filter(([key]) => key !== '$schema' && !isMisplaced(place, key)),
  );
  if (walledProfiles(place, own).length === 0 || !isValues(own.profiles)) return own;
  const profiles = Object.entries(own.profiles).map(([name, profile]) => [
    name,
    isValues(profile) ? Object.fromEntries(Object.entries(profile).filter(([key]) => key !== 'sandbox')) : profile,
  ]);
  return { ...own, profiles: Object.fromEntries(profiles) };
}

function sentence(file: string | undefined, { path, why }: Invalid, values: Values): string {
  const where = path.map(String).join('.');
  const found = path.reduce<unknown>((value, key) => Object(value)[key], values);
  const shown =
    found === undefined ? '; it is missing' : `, not ${showName(JSON.stringify(found)).replaceAll('\\"', '"')}`;
  return `${file === undefined ? '' : `${showText(file)}: `}"${showName(where)}" ${why}${shown}.`;
}

function refused(
  code: FailureCode,
  why: string,
  ...suggestions: readonly Suggestion[]
): Extract<SettingChange, { kind: 'refused' }> {
  return { kind: 'refused', code, why, try: suggestions };
}
