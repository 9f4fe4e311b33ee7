// Every agent program that cadre knows, and which of them a profile's program is.
import { lastSegment } from '../plan/name.ts';
import type { Agent } from './agent.ts';
import { aider } from './programs/aider.ts';
import { claude } from './programs/claude.ts';
import { codex } from './programs/codex.ts';
import { gemini } from './programs/gemini.ts';
import { generic } from './programs/generic.ts';
import { opencode } from './programs/opencode.ts';
import { SCRIPTED_PROGRAM, scripted } from './programs/scripted.ts';

export const KNOWN_AGENTS: readonly Agent[] = [claude, codex, opencode, gemini, aider, scripted, generic];

/** By the name of the program's file, since that is what its maker calls it. */
const PROGRAMS: ReadonlyMap<string, Agent> = new Map([
  ['claude', claude],
  ['codex', codex],
  ['opencode', opencode],
  ['gemini', gemini],
  ['aider', aider],
  [SCRIPTED_PROGRAM, scripted],
]);

export function findAgent(program: string): Agent {
  return PROGRAMS.get(lastSegment(program)) ?? generic;
}
