// Starts, stops and asks the engine of a repository, and is the engine where a command needs that.
import { join } from 'node:path';
import { planningFiles } from '../adapters/plans/planning-files.ts';
import { backgroundEngine } from '../adapters/repo/background-engine.ts';
import { initRepo } from '../adapters/repo/init-repo.ts';
import { clock } from '../adapters/system/clock.ts';
import { watchFolders } from '../adapters/system/watcher.ts';
import type { EngineControl } from '../app/ports.ts';
import { LOCAL_MACHINE } from '../core/model/ids.ts';
import type { EngineSurface } from '../core/ports/notify.ts';
import { actUntilDone } from '../engine/act-until-done.ts';
import { type EnginePorts, runEngine } from '../engine/loop.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine.ts';

export function engineControl(base: Base, engine: () => Promise<EngineParts>): EngineControl {
  const { repo, env, disk, locks, itself, heartbeat } = base;
  const holder = () => locks.holder(repo.engineLock);
  const background = backgroundEngine({ repo, env, itself, holder });
  return {
    holder,
    problem: () => (holder() === undefined ? undefined : heartbeat.complaint()),
    wasKilled: () => locks.wasAbandoned(repo.engineLock),
    check: (options) => background.check(options),
    start: (options) => background.start(options),
    stop: () => background.stop(),
    async run(surface, stop, ready) {
      initRepo(disk, repo);
      await runEngine(enginePorts(base, await engine(), surface, stop), stop, ready);
    },
    async perform(effects, notify) {
      const ports = enginePorts(base, await engine(), { ...notify, announce: () => undefined }, NEVER);
      await actUntilDone(ports, effects, EFFECT_TIMEOUT, clock.elapsed);
    },
    log: background.log,
    warnings: (from) => background.warnings(from),
  };
}

/** How long a command waits for its effects, in milliseconds. */
const EFFECT_TIMEOUT = 30_000;

const NEVER = new AbortController().signal;

function enginePorts(
  { repo, env, disk, locks, gateway, inbox, quarantine, planFiles, heartbeat }: Base,
  { sessions, effectPorts, policy, notifications }: EngineParts,
  surface: EngineSurface,
  stop: AbortSignal,
): EnginePorts {
  return {
    machine: LOCAL_MACHINE,
    gateway,
    inbox,
    quarantine,
    planFiles,
    planning: planningFiles(disk, repo.plans),
    sessions,
    runs: effectPorts(stop),
    policy: () => policy(surface),
    clock,
    heartbeat,
    notify: surface,
    notifications: notifications(surface.announce),
    locks,
    engineLock: repo.engineLock,
    journalFolder: repo.journal,
    planStateLock: repo.planStateLock,
    watchedPaths: [
      join(repo.home, 'config.json'),
      join(repo.root, 'cadre.json'),
      join(repo.gitFolder, 'refs', 'heads', 'plan'),
    ],
    watch: watchFolders,
    refusalBurst: Number(env.CADRE_REFUSAL_BURST) || undefined,
  };
}
