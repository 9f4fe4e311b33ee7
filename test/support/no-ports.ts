// Ports of effects that nobody may call: a test replaces those that its effect needs.
import { KeyedQueue } from '../../src/core/model/keyed-queue.ts';
import { EMPTY_WORLD } from '../../src/core/model/world.ts';
import type { Heartbeat } from '../../src/core/ports/heartbeat.ts';
import type { PlanningFiles } from '../../src/core/ports/planning-files.ts';
import type { Quarantine } from '../../src/core/ports/quarantine.ts';
import type { Sessions } from '../../src/core/ports/sessions.ts';
import type { EffectPorts } from '../../src/engine/effects/perform.ts';
import { SimulatedRuns } from '../simulation/simulated-runs.ts';
import { memoryGateway } from './memory-gateway.ts';

export function unexpected(): never {
  throw new Error('Unexpected call.');
}

export const NO_PLANNING: PlanningFiles = {
  write: unexpected,
  published: unexpected,
  publish: unexpected,
  archive: unexpected,
  unarchive: unexpected,
};

export const NO_QUARANTINE: Quarantine = {
  keep: unexpected,
  keepMany: unexpected,
  show: unexpected,
  putBack: unexpected,
  discard: unexpected,
};
const SIMULATED = new SimulatedRuns().seenBy(unexpected);
export const NO_RUNS: EffectPorts['runs'] = {
  ...SIMULATED,
  gateway: memoryGateway(EMPTY_WORLD),
  stop: new AbortController().signal,
  queue: new KeyedQueue(),
  launchedTexts: async () => new Map(),
  planText: () => undefined,
  cadre: ['cadre'],
  verify: null,
  verifyPrompt: '',
  settings: { setup: [], verify: undefined, baseBranch: undefined, syncBase: true, land: 'manual', taskMerge: 'local' },
};
export const NO_SESSIONS: Sessions = {
  start: unexpected,
  stop: unexpected,
  pause: unexpected,
  send: unexpected,
  list: unexpected,
  look: unexpected,
  screen: unexpected,
  colouredScreen: unexpected,
  worktreeOf: unexpected,
  watch: unexpected,
  watchActivity: unexpected,
  attach: unexpected,
  tidy: unexpected,
  serve: unexpected,
  close: unexpected,
};
export const NO_HEARTBEAT: Heartbeat = {
  last: () => undefined,
  beat: () => undefined,
  complain: () => undefined,
  complaint: () => undefined,
};
