// Puts everything together for one repository: adapters into the engine, and both into the ports of the app.
import { cursorFrom } from '../adapters/journal/cursor-text.ts';
import { lastRecords } from '../adapters/journal/last-records.ts';
import { callerOf } from '../adapters/signals/speaker.ts';
import { clock } from '../adapters/system/clock.ts';
import { diskProblem } from '../adapters/system/disk-space.ts';
import { type App, createApp } from '../app/app.ts';
import type { AppPorts, Check, JournalReads, PlanStateReads, ShownChanges } from '../app/ports.ts';
import { START } from '../core/ports/journal.ts';
import { type Base, type Opening, openBase } from './base.ts';
import type { EngineParts } from './engine.ts';
import { engineControl } from './engine-control.ts';
import { observedFacts } from './facts.ts';
import { openCleanup, openKept } from './kept.ts';
import { repositoryFiles } from './repository.ts';
import { signalsOf, speakerIn } from './signals.ts';

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
    signals: signalsOf(base),
    quarantine,
    engine: engineControl(base, parts),
    planState: planStateReads(base),
    diskProblem: () => diskProblem(base.repo.home),
    config,
    sessions: async () => (await parts()).sessions,
    changes: async () => shownChanges(base, await parts()),
    kept: () => openKept(base),
    cleanup: () => openCleanup(base),
    preflight: async (options) => (await parts()).preflight(options),
    checkUp: () => checkUp(base),
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
  return {
    records: async () => (await journal.read(START)).records,
    lastRecords: async (wanted) => lastRecords(disk, segments, wanted),
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

function shownChanges({ env }: Base, { runs, baseBranch }: EngineParts): ShownChanges {
  return {
    ...runs.changes,
    ofPlan: (plan, base) => runs.changes.ofPlan(plan, baseBranch() ?? base),
    colour: env.NO_COLOR ? 'never' : 'auto',
  };
}

async function checkUp({ disk, repo, segments, planState, locks, inbox }: Base): Promise<readonly Check[]> {
  const doctor = await import('../adapters/doctor/checkup.ts');
  return doctor.checkUp({
    disk,
    repo,
    segments,
    planStateProblem: () => planState.problem(),
    engine: () => locks.holder(repo.engineLock),
    waitingSignals: () => inbox.waiting(),
  });
}
