// cadre with the agent programs that people use, each with and without a terminal, driven by a scripted model.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HostKind } from '../support/session-repo.ts';
import { mark, type Turn, withoutNumbers } from './model/script.ts';
import { type Program, programs } from './programs.ts';
import { PLAN, reporter, type Stage, seen, stageFor } from './stage.ts';

for (const program of programs(process.env.CADRE_AGENTS ?? ''))
  for (const host of ['process', 'tmux'] as const)
    describe(`${program.name} ${program.version}, host ${host}`, () => {
      claims(program, host);
      if (host === 'tmux' && program.asksForTrust) asksFirst(program);
    });

/** Short enough for an argument, and full of characters that are special to a shell. */
const SHORT = [`Work on "${PLAN}" in the worktree, $HOME or not; then`, "  - `id`; it's 'easy' — ünïcode", ''];

/** Too long for an argument, and starts like an option. */
const LONG = [
  '--version',
  ...Array.from({ length: 400 }, (_, line) => `${line} $(touch x) "quoted" 'ünïcode' \\n ${'·'.repeat(line % 40)}`),
];

const REFUSAL = /needs approval|Rejected|denied by policy|auto-rejecting/;

function claims(program: Program, host: HostKind): void {
  test('writes a file, commits and sends a signal without asking, and exits', async () => {
    const see = reporter(program, host, 'work');
    const stage = await stageFor(program, host);
    const prompt = [...SHORT, mark('work')].join('\n');
    const view = await stage.start('planner', prompt, (worktree) => ({
      work: [
        { do: 'write', path: join(worktree, 'out.txt'), text: 'written\n' },
        { do: 'run', command: 'git add out.txt && git commit -m "agents: a file"' },
        { do: 'run', command: `${stage.cadre} signal planner-finished --plan ${PLAN}` },
        { do: 'hold' },
      ],
    }));
    await seen(stage, () => stage.model.isHolding(), Boolean);
    expect([...textsFrom('user', stage), ...textsFrom('tool', stage).map(withoutNumbers)].join('\n')).toContain(prompt);
    see('short prompt');
    expect(readFileSync(join(stage.worktree(), 'out.txt'), 'utf8')).toBe('written\n');
    see('file');
    expect(stage.repo.git('log', '--format=%an %s', view.branch).split('\n')).toContain('Ada agents: a file');
    see('commit');
    await seen(stage, () => stage.repo.status(PLAN), is('ready'));
    expect(stage.records()).toContainEqual(
      expect.objectContaining({ event: 'planner_finished', role: 'planner', session: view.session, to: 'ready' }),
    );
    see('signal');
    if (host === 'tmux') {
      await seen(stage, () => stage.reading(), isRead('busy'));
      see('busy');
    }
    stage.model.release();
    if (host === 'tmux') {
      await seen(stage, () => stage.reading(), isRead('idle'));
      see('idle');
      if (program.reportsTurns) {
        await seen(
          stage,
          () => stage.session(),
          (one) => one?.activity?.doing === 'waits' && one.activity.source === 'hook',
        );
        see('hook reported it');
      }
      stage.type(program.leave);
      await seen(
        stage,
        () => stage.screen(),
        (screen) => screen.includes(program.leave),
      );
      stage.type('Enter');
    }
    await seen(
      stage,
      () => stage.session(),
      (one) => one?.state === 'ended' && one.sentence.includes('exit code 0'),
    );
    see('ended with 0');
    await seen(stage, () => stage.left(), isNothing);
    see('nothing left');
  });

  test('gets a long prompt and a long message unchanged, and sends a signal with a body', async () => {
    const see = reporter(program, host, 'long prompt');
    const stage = await stageFor(program, host);
    for (const event of ['planner_finished', 'implement_start', 'implement_finished'])
      stage.repo.cadre('move', PLAN, event);
    const prompt = [...LONG, mark('body')].join('\n');
    const body = 'The tests are missing.\nIt\'s "so".';
    const view = await stage.start('reviewer', prompt, () => ({
      body: [
        {
          do: 'run',
          command: `${stage.cadre} signal review-changes --plan ${PLAN} --body-file - <<'EOF'\n${body}\nEOF`,
        },
        { do: 'hold' },
      ],
      message: [{ do: 'hold' }],
    }));
    await seen(stage, () => stage.model.isHolding(), Boolean);
    expect(missingIn(textsFrom('tool', stage), prompt)).toEqual([]);
    see('20 KB prompt');
    await seen(stage, () => stage.repo.status(PLAN), is('implementing'));
    expect(stage.records()).toContainEqual(
      expect.objectContaining({ session: view.session, signal: expect.objectContaining({ body: `${body}\n` }) }),
    );
    see('signal with a body');
    if (host === 'tmux') {
      stage.model.release();
      await seen(stage, () => stage.reading(), isRead('idle'));
      const message = ['/exit', ...LONG.slice(0, 50), mark('message')].join('\n');
      const file = join(stage.repo.outside, 'message');
      writeFileSync(file, message);
      await stage.repo.view('send', view.session, '--file', file);
      await seen(stage, () => stage.model.isHolding(), Boolean);
      expect(missingIn(textsFrom('tool', stage), message)).toEqual([]);
      see('message');
    }
    await stage.repo.view('stop', view.session);
    await seen(stage, () => stage.left(), isNothing);
    see('stopped while busy, nothing left');
  });

  test('asks before it does what is not allowed, or refuses to', async () => {
    const see = reporter(program, host, 'not granted');
    const stage = await stageFor(program, host);
    const precious = join(stage.repo.outside, 'precious');
    mkdirSync(precious);
    const view = await stage.start('planner', `Remove it all. ${mark('remove')}`, () => ({
      remove: [{ do: 'run', command: `rm -rf ${precious}`, outside: host === 'tmux' }, { do: 'hold' }],
    }));
    if (host === 'tmux') {
      const reading = await seen(stage, () => stage.reading(), isRead('asks-permission'));
      expect(reading).toMatchObject({ question: expect.stringContaining(precious) });
      see('asked');
    } else {
      // The program passes the refusal on to the model, or exits.
      await seen(stage, async () => stage.model.isHolding() || (await stage.session())?.state === 'ended', Boolean);
      const text = [...textsFrom('tool', stage), await stage.screen()].join('\n');
      expect(text).toMatch(REFUSAL);
      see(`refused (${REFUSAL.exec(text)?.[0]})`);
    }
    expect(existsSync(precious)).toBe(true);
    await stage.repo.view('stop', view.session);
    await seen(stage, () => stage.left(), isNothing);
    see('nothing left');
  });
}

function asksFirst(program: Program): void {
  test('asks whether to trust the folder if nobody has agreed to that', async () => {
    const see = reporter(program, 'tmux', 'trust');
    const stage = await stageFor(program, 'tmux', false);
    const view = await stage.start('planner', [...SHORT, mark('work')].join('\n'), () => ({ work: [{ do: 'hold' }] }));
    const reading = await seen(stage, () => stage.reading(), isRead('asks-trust'));
    see(`asked (${'question' in reading ? reading.question.slice(0, 60) : ''}...)`);
    expect(stage.model.requests).toEqual([]);
    await stage.repo.view('stop', view.session);
    await seen(stage, () => stage.left(), isNothing);
    see('nothing left');
  });
}

function textsFrom(from: Turn['from'], stage: Stage): readonly string[] {
  return stage.model.requests.flatMap((turns) => turns.filter((turn) => turn.from === from).map(({ text }) => text));
}

/** The text that was read in parts. Programs number the lines, and add text above and below them. */
function missingIn(texts: readonly string[], expected: string): readonly string[] {
  const lines = texts.flatMap((text) => withoutNumbers(text).split('\n'));
  let from = 0;
  return expected.split('\n').filter((line) => {
    const at = lines.indexOf(line, from);
    if (at !== -1) from = at + 1;
    return at === -1;
  });
}

function is<T>(wanted: T): (value: T | undefined) => boolean {
  return (value) => value === wanted;
}

function isRead(kind: string): (reading: { readonly kind: string }) => boolean {
  return (reading) => reading.kind === kind;
}

function isNothing(list: readonly string[]): boolean {
  return list.length === 0;
}
