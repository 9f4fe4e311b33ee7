// The configuration files: how they are read and merged, and every sentence about a mistake.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConfigPlaces, loadSettings, readConfig, setConfig } from '../../../src/adapters/config/config-file.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import { NOTIFICATION_KINDS } from '../../../src/core/settings/notify.ts';
import { type ConfigPlace, DEFAULTS } from '../../../src/core/settings/settings.ts';
import { findJsonMistake } from '../../../src/text/json-position.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { failureOf, temporaryFolder } from '../../support/pieces.ts';

describe('the settings', () => {
  test('have their defaults without a file, or with an empty one', async () => {
    expect(await readConfig(places())).toEqual({ settings: DEFAULTS, from: {}, problems: [], warnings: [] });
    expect((await readConfig(places({}, {}))).settings).toEqual(DEFAULTS);
  });

  test('come from the flags, else the project, else the person', async () => {
    const both = places({ max_parallel: 2, host: 'tmux', land: 'pr' }, { max_parallel: 3, host: 'process' });
    const { settings } = await loadSettings(both, { max_parallel: 5 });
    expect(settings).toEqual({ ...DEFAULTS, max_parallel: 5, host: 'process', land: 'pr' });
    expect((await readConfig(both)).from).toEqual({ max_parallel: 'project', host: 'project', land: 'global' });
  });

  test('are merged entry by entry, and profiles as a whole', async () => {
    const { settings } = await readConfig(
      places(
        {
          limits: { checkins: 9, relaunches: 9 },
          profiles: { a: { program: 'x', flags: ['-f'] }, b: { program: 'y' } },
        },
        { limits: { relaunches: 1 }, profiles: { a: { program: 'z' } }, architect: { questions: 'agent' } },
      ),
    );
    expect(settings.limits).toEqual({ ...DEFAULTS.limits, checkins: 9, relaunches: 1 });
    expect(settings.profiles).toEqual({ a: { program: 'z' }, b: { program: 'y' } });
    expect(settings.architect).toEqual({ ...DEFAULTS.architect, questions: 'agent' });
  });

  test.each([['npm test'], ['none'], [['npm', 'test']], [{ prompt: 'Look at it.' }]])(
    'may verify with %j',
    async (verify) => {
      expect((await loadSettings(places({}, { verify }))).settings.verify).toEqual(verify);
    },
  );

  test('about walls are the person’s: a project puts up none and takes none down, also in a profile of the same name', async () => {
    const { settings, warnings } = await readConfig(
      places(
        { sandbox: { agents: 'auto' }, profiles: { implementer: { program: 'x', sandbox: 'required' } } },
        {
          sandbox: { agents: 'off' },
          profiles: { implementer: { program: 'y', sandbox: 'off' }, reviewer: { sandbox: 'off' } },
        },
      ),
    );
    expect(settings.sandbox.agents).toBe('auto');
    expect(settings.profiles).toEqual({ implementer: { program: 'y', sandbox: 'required' }, reviewer: {} });
    expect(warnings.map(withoutPath)).toEqual([
      '"sandbox" is read only from your own config.json; here it has no effect.',
      '"profiles.implementer.sandbox" is read only from your own config.json; here it has no effect.',
      '"profiles.reviewer.sandbox" is read only from your own config.json; here it has no effect.',
    ]);
  });

  test('about notifications are the person’s, and a project cannot change them', async () => {
    const { settings, warnings, from } = await readConfig(
      places({ notify: { command: 'mine' } }, { notify: { command: 'evil', bell: false } }),
    );
    expect(settings.notify).toEqual({ ...DEFAULTS.notify, command: 'mine' });
    expect(from).toEqual({ notify: 'global' });
    expect(warnings.map(withoutPath)).toEqual([
      '"notify" is read only from your own config.json; here it has no effect.',
    ]);
  });

  test('ignore unknown settings, with a warning', async () => {
    const global = {
      max_paralel: 2,
      limits: { chekins: 1 },
      profiles: { a: { program: 'x', model: 'y' } },
      verify: 'x',
    };
    const { settings, problems, warnings } = await readConfig(places(global));
    expect([problems, settings.verify]).toEqual([[], undefined]);
    expect(warnings.map(withoutPath)).toEqual([
      'unknown setting "max_paralel"; it is kept and has no effect.',
      'unknown setting "limits.chekins"; it is kept and has no effect.',
      'unknown setting "profiles.a.model"; it is kept and has no effect.',
      '"verify" is read only from a project\'s cadre.json; here it has no effect.',
    ]);
  });
});

describe('an invalid value is named by its path', () => {
  const TEXT = 'must be a non-empty string';
  const COMMAND = 'must be a command line with every quote closed, or a list of words';
  const KINDS = Object.keys(NOTIFICATION_KINDS)
    .map((kind) => `"${kind}"`)
    .join(', ');
  test.each<[object, string]>([
    [{ default_program: '' }, `"default_program" ${TEXT}, not "".`],
    [{ default_program: 3 }, `"default_program" ${TEXT}, not 3.`],
    [{ profiles: [] }, '"profiles" must be an object: { "name": value }, not [].'],
    [{ profiles: { a: { program: 'x', env: 'HOME' } } }, '"profiles.a.env" must be a list of strings, not "HOME".'],
    [{ profiles: { a: { program: 'x', flags: [1] } } }, '"profiles.a.flags.0" must be a string, not 1.'],
    [{ phase_roles: { planning: null } }, `"phase_roles.planning" ${TEXT}, not null.`],
    [{ auto_verify: 'yes' }, '"auto_verify" must be true or false, not "yes".'],
    [{ host: 'screen' }, '"host" must be one of "auto", "tmux", "process", not "screen".'],
    [{ max_parallel: 0 }, '"max_parallel" must be a whole number from 1 to 64, not 0.'],
    [{ max_parallel: 65 }, '"max_parallel" must be a whole number from 1 to 64, not 65.'],
    [{ max_parallel: 1.5 }, '"max_parallel" must be a whole number from 1 to 64, not 1.5.'],
    [{ limits: { checkins: -1 } }, '"limits.checkins" must be a whole number from 0 to 1000, not -1.'],
    [{ land: 'now' }, '"land" must be one of "manual", "local", "pr", not "now".'],
    [{ architect: { questions: 'me' } }, '"architect.questions" must be one of "human", "agent", "auto", not "me".'],
    [{ notify: true }, '"notify" must be an object: { "name": value }, not true.'],
    [{ notify: { bell: 1 } }, '"notify.bell" must be true or false, not 1.'],
    [{ notify: { desktop: true } }, '"notify.desktop" must be one of "auto", "on", "off", not true.'],
    [{ notify: { command: "sh 'x" } }, `"notify.command" ${COMMAND}, not "sh 'x".`],
    [{ notify: { command: '' } }, `"notify.command" ${COMMAND}, not "".`],
    [{ notify: { command: [] } }, `"notify.command" ${COMMAND}, not [].`],
    [{ notify: { command: ['a\0'] } }, `"notify.command" ${COMMAND}, not ["a\\\\u0000"].`],
    [{ notify: { for: 'done' } }, '"notify.for" must be a list of strings, not "done".'],
    [{ notify: { for: ['landed'] } }, `"notify.for.0" must be one of ${KINDS}, not "landed".`],
    [{ verify: 3 }, '"verify" must be a command line, a list of words, "none", or { "prompt": string }, not 3.'],
  ])('%j', async (project, sentence) => {
    const wrong = places({ max_parallel: 2 }, project);
    const { problems, settings } = await readConfig(wrong);
    expect(problems.map(withoutPath)).toEqual([sentence]);
    expect(settings).toEqual(DEFAULTS);
    expect(await failureOf(() => loadSettings(wrong))).toMatchObject({ kind: 'person', message: problems[0] });
  });
});

describe('a file that is not JSON fails with line and column', () => {
  test.each([
    ['{\n  "a": 1,\n}\n', 'line 3, column 1, a name in double quotes is expected'],
    ['', 'line 1, column 1, a value is expected'],
    ['{ "a" 1 }', 'line 1, column 7, ":" is expected'],
    ['{ "a": [1 2] }', 'line 1, column 11, "," or the end is expected'],
    ['{ "a": 01 }', 'line 1, column 8, a value is expected'],
    ["{ 'a': 1 }", 'line 1, column 3, a name in double quotes or "}" is expected'],
    ['{ // no\n }', 'line 1, column 3, a name in double quotes or "}" is expected'],
    ['{ "a": 1', 'line 1, column 9, "," or the end is expected'],
    ['{}\n{}', 'line 2, column 1, nothing more is expected'],
    ['{ "a": 1,\n  "a": 2 }', 'line 2, column 3, the name "a" appears twice'],
    ['<<<<<<< ours\n{}', 'line 1, column 1, a value is expected'],
  ])('%j', async (text, place) => {
    const broken = places(undefined, text);
    const { kind, message } = await failureOf(() => readConfig(broken));
    expect([kind, message]).toEqual(['person', `${broken.project} is not JSON: at ${place}. Fix it, then try again.`]);
  });

  test.each<[string | Buffer, RegExp]>([
    ['[]', /cadre\.json must be an object: \{ "setting": value \}\. Fix it/],
    ['null', /cadre\.json must be an object/],
    [Buffer.of(0x7b, 0xff, 0x7d), /cadre\.json is not UTF-8 text/],
  ])('so does one that is not an object or not text: %j', async (text, sentence) => {
    expect((await failureOf(() => readConfig(places(undefined, text)))).message).toMatch(sentence);
  });

  test('a mistake is found exactly where JSON.parse fails', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\n"',
      '"\\x"',
      '"',
      '1',
      '-0.5e3',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
    );
    const repeated = (text: string) => findJsonMistake(text)?.why.includes('second time') ?? false;
    const texts = fc.oneof(
      fc.array(pieces).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(findJsonMistake(text) === undefined || repeated(text)).toBe(parses(text) || repeated(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('changing a setting', () => {
  test('keeps the others, known or unknown, in order', async () => {
    const some = places('{"z": 1, "max_parallel": 2, "limits": {"relaunches": 1, "odd": 0}, "host": "tmux"}');
    expect(await set(some, 'global', 'limits.relaunches', '5')).toMatchObject({ kind: 'set', value: 5 });
    expect(await set(some, 'global', 'land', 'pr')).toMatchObject({ kind: 'set', value: 'pr' });
    expect(readFileSync(some.global, 'utf8')).toBe(
      `${JSON.stringify({ z: 1, max_parallel: 2, limits: { relaunches: 5, odd: 0 }, host: 'tmux', land: 'pr' }, null, 2)}\n`,
    );
  });

  test('creates a file that names its schema', async () => {
    const none = places();
    await set(none, 'project', 'base_branch', 'main');
    expect(Object.keys(JSON.parse(readFileSync(none.project ?? '', 'utf8')))).toEqual(['$schema', 'base_branch']);
    expect(await readConfig(none)).toMatchObject({ problems: [], warnings: [], settings: { base_branch: 'main' } });
  });

  test.each([
    ['default_program', '7', '7'],
    ['default_program', '"codex"', 'codex'],
    ['max_parallel', '7', 7],
    ['sync_base', 'false', false],
    ['profiles.reviewer.program', 'claude --model opus', 'claude --model opus'],
    ['profiles', '{"a":{"program":"x"}}', { a: { program: 'x' } }],
    ['verify', '["npm","test"]', ['npm', 'test']],
    ['verify', 'npm test', 'npm test'],
    ['setup', '["npm","ci"]', ['npm', 'ci']],
  ])('%s to %s is %j', async (key, typed, value) => {
    expect(await set(places(), 'project', key, typed)).toMatchObject({ kind: 'set', value });
  });

  test.each<[ConfigPlace, string, string, string]>([
    ['global', 'max_paralel', '4', 'Unknown setting "max_paralel". Did you mean "max_parallel"?'],
    ['global', 'limits.chekins', '4', 'Unknown setting "limits.chekins". Did you mean "limits.checkins"?'],
    ['global', '__proto__.x', '4', 'Unknown setting "__proto__.x".'],
    ['global', '', '4', 'Unknown setting "".'],
    ['global', 'host.name', 'x', '"host.name" is inside a value that has no parts.'],
    ['global', 'max_parallel', 'many', '"max_parallel" must be a whole number from 1 to 64, not "many".'],
    ['global', 'max_parallel', '0', '"max_parallel" must be a whole number from 1 to 64, not 0.'],
    ['global', 'verify', 'npm test', '"verify" can only be set for a project. Add --project, in the project.'],
    [
      'project',
      'notify.bell',
      'false',
      '"notify.bell" is a personal setting, not one of a project. Leave out --project.',
    ],
  ])('is refused without writing: in %s, %s to %s', async (place, key, typed, why) => {
    const some = places({ host: 'tmux' });
    const before = readFileSync(some.global, 'utf8');
    expect(await set(some, place, key, typed)).toMatchObject({ kind: 'refused', why });
    expect(readFileSync(some.global, 'utf8')).toBe(before);
    expect(existsSync(some.project ?? '')).toBe(false);
  });

  test('does not write to a file that is invalid elsewhere, or broken', async () => {
    const wrong = places({ host: 'screen' });
    expect(await set(wrong, 'global', 'land', 'pr')).toMatchObject({
      kind: 'refused',
      why: `${wrong.global}: "host" must be one of "auto", "tmux", "process", not "screen".`,
    });
    expect(await set(wrong, 'global', 'host', 'tmux')).toMatchObject({ kind: 'set' });
    const broken = places('{');
    await failureOf(() => set(broken, 'global', 'land', 'pr'));
    expect(readFileSync(broken.global, 'utf8')).toBe('{');
  });

  test('is refused for a project outside of one', async () => {
    const { disk: its, global } = places();
    const outcome = await set({ disk: its, global, project: undefined }, 'project', 'land', 'pr');
    expect(outcome).toMatchObject({
      why: 'This folder is not in a git repository, so there is no project to set it for.',
    });
  });

  test('loses nothing when done concurrently', async () => {
    const some = places();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => set(some, 'global', `profiles.${name}.program`, name)));
    expect(Object.keys((await readConfig(some)).settings.profiles).sort()).toEqual([...names].sort());
  });

  test.each(['write', 'sync', 'rename'] as const)('keeps the old file if the disk fails at "%s"', async (on) => {
    const some = places({ host: 'tmux' });
    const before = readFileSync(some.global, 'utf8');
    const faulty = faultyDisk();
    faulty.fail({ on }, 'ENOSPC');
    const failure = await failureOf(() => set({ ...some, disk: faulty.disk }, 'global', 'land', 'pr'));
    expect(failure.message).toBe(
      `Could not write ${some.global}. The disk is full. Free some space; nothing that was confirmed is lost.`,
    );
    expect(readFileSync(some.global, 'utf8')).toBe(before);
  });

  test('does not follow a symbolic link', async () => {
    const some = places();
    symlinkSync('/etc/hostname', some.global);
    expect((await failureOf(() => readConfig(some))).message).toBe(
      `Could not read ${some.global}. It is a symbolic link, which is not followed here.`,
    );
  });
});

type Text = string | Buffer | object;

function places(global?: Text, project?: Text): ConfigPlaces & { readonly project: string } {
  const folder = temporaryFolder();
  const paths = { global: join(folder, 'config.json'), project: join(folder, 'cadre.json') };
  for (const [path, text] of [[paths.global, global] as const, [paths.project, project] as const])
    if (text !== undefined)
      writeFileSync(path, typeof text === 'string' || Buffer.isBuffer(text) ? text : JSON.stringify(text));
  return { disk, ...paths };
}

function set(where: ConfigPlaces, place: ConfigPlace, key: string, value: string) {
  return setConfig(
    where,
    { locks: fileLocks({ command: 'a test' }), path: `${where.global}.lock` },
    { place, key, value },
  );
}

function withoutPath(sentence: string): string {
  return sentence.replace(/^\/\S+\.json: /, '');
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
