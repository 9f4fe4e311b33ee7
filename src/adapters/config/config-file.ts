// The configuration in its two files, ~/.cadre/config.json and cadre.json of the main checkout: read, checked, laid over
// each other, and changed one setting at a time.
import { dirname } from 'node:path';
import type { Config } from '../../agents/profiles.ts';
import { explained, Failure, type FailureCode } from '../../core/model/failure.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import type { ConfigReading, SettingChange } from '../../core/ports/config-files.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { type ConfigPlace, isProjectOnly, layered, type Settings } from '../../core/settings/settings.ts';
import { findJsonMistake } from '../../text/json-position.ts';
import { showName, showText } from '../../text/show.ts';
import { ensureFolder, readWhole, replaceFile } from '../system/files.ts';
import { decodeText } from '../system/signal-file.ts';

export interface ConfigPlaces {
  readonly disk: Disk;
  readonly global: string;
  /** Nothing outside of a repository. */
  readonly project: string | undefined;
}

/** Put into new files, so that editors know what may stand in them. It is part of the package that npm has. */
export const SCHEMA_ADDRESS = 'https://unpkg.com/cadre/docs/config.schema.json';

type Values = Readonly<Record<string, unknown>>;

export async function readConfig(places: ConfigPlaces): Promise<ConfigReading> {
  const files = placesOf(places).flatMap(({ place, path }) => {
    const values = valuesIn(places.disk, path);
    return values === undefined ? [] : [{ place, path, values }];
  });
  const judged = await Promise.all(files.map(({ place, path, values }) => judgeFile(place, path, values)));
  const configs = files.map(({ place, values }) => usable(place, values));
  const from = files.flatMap(({ place }, index) =>
    Object.keys(configs[index] ?? {}).map((key) => [key, place] as const),
  );
  const problems = judged.flatMap((one) => one.problems);
  return {
    // What cannot be used is not half used either.
    settings: problems.length === 0 ? layered(...configs) : layered(),
    from: Object.fromEntries(problems.length === 0 ? from : []),
    problems,
    warnings: judged.flatMap((one) => one.warnings),
  };
}

/** For whoever works by the settings: all of them are good, or it fails with everything that is wrong. */
export async function loadSettings(
  places: ConfigPlaces,
  flags: Config = {},
): Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }> {
  const { settings, problems, warnings } = await readConfig(places);
  if (problems.length > 0) throw new Failure('person', 'bad-config', problems.join('\n'));
  return { settings: layered(settings, flags), warnings };
}

/** Under a lock, so that of two who change something nobody's change is lost. */
export async function setConfig(
  places: ConfigPlaces,
  locks: Locks,
  lock: string,
  place: ConfigPlace,
  key: string,
  value: string,
): Promise<SettingChange> {
  const path = place === 'global' ? places.global : places.project;
  if (path === undefined)
    return refused('no-repo', 'This folder is in no git repository, so there is no project to set it for.');
  const keys = key.split('.');
  if (place === 'global' && isProjectOnly(keys[0] ?? ''))
    return refused('project-only', `"${showName(key)}" can only be set for a project. Add --project, in the project.`);
  const { disk } = places;
  explained('prepare', dirname(lock), () => ensureFolder(disk, dirname(lock), 0o700));
  const held = await locks.take(lock, PATIENCE);
  try {
    const before = valuesIn(disk, path);
    const outcome = await firstGood(path, before ?? { $schema: SCHEMA_ADDRESS }, keys, value);
    if (outcome.kind === 'refused') return outcome;
    const text = `${JSON.stringify(outcome.values, null, 2)}\n`;
    explained('write', path, () => replaceFile(disk, path, Buffer.from(text)));
    return { kind: 'set', path, value: outcome.value };
  } finally {
    held.release();
  }
}

const PATIENCE = 10_000;

type Tried =
  | { readonly kind: 'good'; readonly values: Values; readonly value: unknown }
  | Extract<SettingChange, { kind: 'refused' }>;

/** What is typed is a text or JSON, whichever the setting takes. */
async function firstGood(path: string, before: Values, keys: readonly string[], typed: string): Promise<Tried> {
  const meant = readings(typed);
  let last: Tried = refused('bad-value', '');
  for (const value of meant) {
    last = await attempt(path, before, keys, value);
    if (last.kind === 'good' || last.code !== 'bad-value') return last;
  }
  return last;
}

/** A list, an object or a quoted text is meant as JSON; of anything else the plain text is tried first. */
function readings(typed: string): readonly unknown[] {
  if (findJsonMistake(typed) !== undefined) return [typed];
  const parsed: unknown = JSON.parse(typed);
  return /^\s*[[{"]/.test(typed) ? [parsed] : [typed, parsed];
}

async function attempt(path: string, before: Values, keys: readonly string[], value: unknown): Promise<Tried> {
  const values = withValue(before, keys, value);
  if (values === undefined)
    return refused('unknown-setting', `"${showName(keys.join('.'))}" goes into a value that has no parts.`);
  const { problems, unknown } = (await loadSchema()).judge(values);
  const own = (other: readonly PropertyKey[]): boolean =>
    keys.every((key, index) => index >= other.length || other[index] === key);
  if (unknown.some((one) => one.length <= keys.length && own(one)))
    return refused('unknown-setting', `Unknown setting "${showName(keys.join('.'))}".`, suggest('config-show'));
  const wrong = problems.filter((problem) => own(problem.path));
  if (wrong.length > 0)
    return refused('bad-value', wrong.map((problem) => sentence(undefined, problem, values)).join('\n'));
  if (problems.length > 0)
    return refused('bad-config', problems.map((problem) => sentence(path, problem, values)).join('\n'));
  return { kind: 'good', values, value };
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

/** A missing file says nothing, as one with nothing in it does. */
function valuesIn(disk: Disk, path: string): Values | undefined {
  const bytes = explained('read', path, () => readWhole(disk, path));
  if (bytes === undefined) return undefined;
  const text = decodeText(bytes)?.replace(/^\ufeff/, '');
  if (text === undefined) throw broken(path, 'is not text in UTF-8 (or holds NUL bytes)');
  const mistake = findJsonMistake(text);
  if (mistake !== undefined)
    throw broken(path, `is not JSON: at line ${mistake.line}, column ${mistake.column}, ${showText(mistake.why)}`);
  const values: unknown = JSON.parse(text);
  if (!isValues(values)) throw broken(path, 'must be an object: { "setting": value }');
  return values;
}

function broken(path: string, why: string): Failure {
  return new Failure('person', 'broken-config', `${showText(path)} ${why}. Mend it, then try again.`);
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface JudgedFile {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

async function judgeFile(place: ConfigPlace, path: string, values: Values): Promise<JudgedFile> {
  const { problems, unknown } = (await loadSchema()).judge(values);
  const misplaced = place === 'global' ? Object.keys(values).filter(isProjectOnly) : [];
  return {
    problems: problems.map((problem) => sentence(path, problem, values)),
    warnings: [
      ...unknown.map(
        (keys) => `${showText(path)}: unknown setting "${showName(keys.join('.'))}"; it is kept and has no effect.`,
      ),
      ...misplaced.map(
        (key) => `${showText(path)}: "${key}" is read only from a project's cadre.json; here it has no effect.`,
      ),
    ],
  };
}

/** Not a part of the program's own file: zod would be read at every start, and most commands have no use for it. */
function loadSchema(): Promise<typeof import('./config-schema.ts')> {
  return import('./config-schema.js');
}

function usable(place: ConfigPlace, values: Values): Config {
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => key !== '$schema' && !(place === 'global' && isProjectOnly(key))),
  );
}

function sentence(
  file: string | undefined,
  { path, why }: { readonly path: readonly PropertyKey[]; readonly why: string },
  values: Values,
): string {
  const where = path.map(String).join('.');
  const found = path.reduce<unknown>((value, key) => Object(value)[key], values);
  const shown = found === undefined ? 'it is missing' : `not ${showName(JSON.stringify(found)).replaceAll('\\"', '"')}`;
  return `${file === undefined ? '' : `${showText(file)}: `}"${showName(where)}" ${why}; ${shown}.`.replace(
    '; not',
    ', not',
  );
}

function refused(
  code: FailureCode,
  why: string,
  ...suggestions: readonly Suggestion[]
): Extract<SettingChange, { kind: 'refused' }> {
  return { kind: 'refused', code, why, try: suggestions };
}
