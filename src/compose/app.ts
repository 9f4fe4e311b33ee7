// Puts everything together for one repository: adapters into the engine, and both into the ports of the app.
import { cursorFrom } from '../adapters/journal/cursor-text.ts';
import { openLastRecords } from '../adapters/journal/last-records.ts';
import { additionsFor } from '../adapters/plans/prompt-additions.ts';
import { callerOf } from '../adapters/signals/speaker.ts';
import { clock } from '../adapters/system/clock.ts';
import { diskProblem } from '../adapters/system/disk-space.ts';
import { type App, createApp } from '../app/app.ts';
import type { AppPorts, Check, JournalReads, PlanStateReads, ShownChanges } from '../app/ports.ts';
import { START } from '../core/ports/journal.ts';
import { nodeProblem } from '../version.ts';
import { type Base, type Opening, openBase } from './base.ts';
import type { EngineParts } from './engine.ts';
import { engineControl } from './engine-control.ts';
import { observedFacts } from './facts.ts';
import { initFiles } from './init.ts';
import { openCleanup, openKept } from './kept.ts';
import type { ReadinessCheck } from './readiness.ts';
import { repositoryFiles } from './repository.ts';
import { runPaths } from './run-paths.ts';
import { openSignals, speakerIn } from './signals.ts';

export function openApp(opening: Opening): App {
  return createApp(openPorts(opening));
}

export function openPorts(opening: Opening): AppPorts {
  const base = openBase(opening);
  const { repo, gateway, planFiles, quarantine, config, session } = base;
  const { parts, close } = engineOnFirstUse(base);
  return {
    root: repo.root,
    by: callerOf(session),
    cadre: base.itself,
    speaker: speakerIn(base),
    clock,
    gateway,
    journal: journalReads(base),
    planFiles,
    repository: repositoryFiles(base),
    facts: observedFacts(base, parts),
    signals: openSignals(base),
    quarantine,
    engine: engineControl(base, parts),
    planState: planStateReads(base),
    diskProblem: () => diskProblem(base.repo.home),
    config,
    init: initFiles(base, parts),
    runPaths: runPaths(base.repo),
    promptAdditions: (role) => additionsFor(repo, role),
    promptOf: async (world, plan, turn) => {
      const { promptNow } = await import('./prompt-now.ts');
      return promptNow(base, await parts(), world, { plan, turn });
    },
    sessions: async () => (await parts()).sessions,
    changes: async () => shownChanges(base, await parts()),
    kept: () => openKept(base),
    cleanup: () => openCleanup(base),
    preflight: async (options) => (await parts()).preflight(options),
    checkUp: () => checkUp(base, parts),
    async repairs() {
      const { repairs } = await import('../adapters/doctor/repairs.ts');
      return repairs(base);
    },
    readiness: async () => (await (await parts()).readiness()).checks.map(plainCheck),
    close,
  };
}

/** Most commands need neither the engine nor sessions, and loading them takes time. */
function engineOnFirstUse({ repo, env, disk, locks, config, itself, journal, gateway }: Base) {
  let opened: Promise<EngineParts> | undefined;
  return {
    parts(): Promise<EngineParts> {
      opened ??= import('./engine.ts').then(({ openEngine }) =>
        openEngine({ repo, env, disk, locks, config, itself, journal, gateway }),
      );
      return opened;
    },
    async close(): Promise<void> {
      // If it could not be opened, because of bad settings for example, there is nothing to close.
      await opened?.then(
        ({ sessions }) => sessions.close(),
        () => undefined,
      );
    },
  };
}

function journalReads({ disk, segments, journal }: Base): JournalReads {
  const lastRecords = openLastRecords(disk, segments);
  return {
    records: async () => (await journal.read(START)).records,
    lastRecords: async (wanted) => lastRecords(wanted),
    async *follow(seq, stop) {
      const before = cursorFrom(segments.startFor(seq));
      for await (const record of journal.follow(before, stop)) if (record.seq > seq) yield record;
    },
  };
}

function planStateReads({ planState }: Base): PlanStateReads {
  return {
    problem: () => planState.problem(),
    statusOf(plan) {
      const read = planState.read();
      return read.kind === 'good' ? read.file.plans.get(plan)?.status : undefined;
    },
  };
}

function shownChanges({ colour }: Base, { runs, baseBranch }: EngineParts): ShownChanges {
  return {
    ...runs.changes,
    ofPlan: (plan, base) => runs.changes.ofPlan(plan, baseBranch() ?? base),
    colour,
  };
}

async function checkUp(base: Base, parts: () => Promise<EngineParts>): Promise<readonly Check[]> {
  const { disk, repo, segments, planState, locks, inbox } = base;
  const doctor = await import('../adapters/doctor/checkup.ts');
  const checks = await doctor.checkUp({
    disk,
    repo,
    segments,
    planStateProblem: () => planState.problem(),
    engine: () => locks.holder(repo.engineLock),
    waitingSignals: () => inbox.waiting(),
    nodeProblem: nodeProblem(process.versions.node),
    holder: (lock) => locks.holder(lock),
  });
  return [...checks, ...(await buildChecks(base, parts))];
}

/** Settings that cannot be used are what is in the way of everything else. */
async function buildChecks({ config }: Base, parts: () => Promise<EngineParts>): Promise<readonly Check[]> {
  const { problems, warnings } = await config.read();
  if (problems.length > 0) return problems.map((sentence) => ({ name: 'settings', result: 'bad', sentence }));
  const settings: readonly Check[] =
    warnings.length === 0
      ? [{ name: 'settings', result: 'ok', sentence: 'valid.' }]
      : warnings.map((sentence) => ({ name: 'settings', result: 'note', sentence }));
  return [...settings, ...(await (await parts()).readiness()).checks.map(plainCheck)];
}

function plainCheck({ code: _code, ...check }: ReadinessCheck): Check {
  return check;
}
