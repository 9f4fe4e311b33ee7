// Tasks side by side: how much longer four of them take than one, and how soon one step follows the other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, milliseconds, ratioLimit, timeLimit } from './report.mjs';
import { buildByCadre, repoToBuild } from './scratch.mjs';

const SLEEP = 3_000;
const MOST_LONGER = 1.25;
const MOST_UNTIL_HEARD = 50;
const MOST_UNTIL_NOTICED = 50;

/**
 * Every agent reports when it started, and exits right after it has signalled. An implementer does so with a file, which is
 * there at once, and reports when; a verdict is a command, which has to start.
 */
function work(task) {
  const spoken = (says) => `sleep ${SLEEP}\n${says}\nrun date +ends%s%N`;
  return `run date +begins%s%N
role implementer
append made-${task}.txt made
commit made
${spoken('run date +speaks%s%N\nsentinel implement-finished')}
role spec-reviewer
${spoken('signal review-approved')}
role quality-reviewer
${spoken('signal review-approved')}`;
}

export async function measureParallel(scratch) {
  const one = await built(scratch, 1);
  const four = await built(scratch, 4);
  const told = gaps(one).concat(gaps(four));
  return report(one, four, told);
}

async function built(scratch, count) {
  const repo = await repoToBuild(
    scratch,
    `parallel-${count}`,
    Array.from({ length: count }, (_, task) => work(task)),
    true,
  );
  const started = performance.now();
  const records = await buildByCadre(scratch, repo);
  return { repo, records, time: performance.now() - started };
}

/** For each session of a run: from its word to the record of it, to the next agent's beginning; from its end to the news. */
function gaps({ repo, records }) {
  const said = new Map(
    readdirSync(repo.sessions()).map((session) => [session, timesIn(join(repo.sessions(), session))]),
  );
  return [...said].flatMap(([session, times]) => {
    const heard = records.find(({ by, session: whose, signal }) => by === 'agent' && signal && whose === session);
    const ended = records.find(
      ({ event, details }) => event === 'session_news' && details.about === session && details.news.kind === 'ended',
    );
    if (heard === undefined) return [];
    const next = records.find(({ seq, event }) => seq > heard.seq && event === 'session_begun');
    const begun = said.get(next?.details.begun.id)?.begins;
    return [
      {
        heard: times.speaks === undefined ? undefined : Date.parse(heard.at) - times.speaks,
        noticed: ended === undefined ? undefined : Date.parse(ended.at) - times.ends,
        // Where nothing is verified in between.
        next: heard.event === 'stage_passed' && begun !== undefined ? begun - Date.parse(heard.at) : undefined,
      },
    ];
  });
}

function timesIn(folder) {
  try {
    const text = readFileSync(join(folder, 'output.log'), 'utf8');
    return Object.fromEntries(
      [...text.matchAll(/^(begins|speaks|ends)(\d{19})$/gm)].map(([, what, when]) => [what, Number(when) / 1e6]),
    );
  } catch {
    return {};
  }
}

function report(one, four, told) {
  const known = (what) => told.map((gap) => gap[what]).filter((gap) => gap !== undefined);
  const [heard, noticed, next] = ['heard', 'noticed', 'next'].map((what) => median(known(what)));
  return {
    title: `parallel: tasks whose agents sleep ${SLEEP / 1000} s, one of them and four side by side`,
    tables: [
      [
        ['tasks', 'time'],
        ['1', milliseconds(one.time)],
        ['4', milliseconds(four.time)],
      ],
      [
        ['from', 'to', 'median', 'samples'],
        ["an agent's word", 'the next state', milliseconds(heard), String(known('heard').length)],
        ['that', "the next agent's first step", milliseconds(next), String(known('next').length)],
        ["an agent's end", 'its being noticed', milliseconds(noticed), String(known('noticed').length)],
      ],
    ],
    notes: [],
    limits: [
      ratioLimit('four tasks beside one', four.time / one.time, MOST_LONGER),
      timeLimit('until a word is heard', heard, MOST_UNTIL_HEARD),
      timeLimit('until an end is noticed', noticed, MOST_UNTIL_NOTICED),
    ],
  };
}
