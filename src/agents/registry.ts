// The agent programs that cadre knows, and how to find the one for a profile's program.
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

/** By the file name of the program. */
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
