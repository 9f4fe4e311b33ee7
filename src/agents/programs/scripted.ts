// The agent for the demo and the tests: a real program that runs a script instead of a model.

import { oneLine } from '../../text/one-line.ts';
import type { Agent, Report, ScreenReading, Start, StartRequest } from '../agent.ts';
import { isBlank } from '../hand-over.ts';
import { readCrash } from '../screen/crash.ts';
import { linesOf } from '../screen/screen-lines.ts';

export const SCRIPTED_PROGRAM = 'cadre-scripted-agent';

export const scripted: Agent = {
  name: 'scripted',
  keeps: [],
  basis: 'Part of this project; tested together with this file.',
  start,
  // It exits at the end of its script, with or without a terminal.
  headless: (request) => (isBlank(request.prompt) ? undefined : start(request)),
  // A script has no conversation to continue.
  resume: () => undefined,
  resumeHeadless: () => undefined,
  readScreen,
  readReport,
};

function start(request: StartRequest): Start {
  const path = `${request.folder}/prompt.md`;
  return {
    argv: [request.program, ...request.flags, '--prompt-file', path],
    env: { CADRE_PROGRAM: JSON.stringify(request.cadre) },
    files: [{ path, text: request.prompt }],
    prompt: 'file',
  };
}

/** A script says "report turn-finished", or "report asks: " and a question. */
function readReport(payload: string): Report {
  const [, question] = /^asks: (.+)$/s.exec(payload) ?? [];
  if (question !== undefined) return { kind: 'asks-permission', question: oneLine(question) };
  return { kind: payload === 'turn-finished' || payload === 'session-started' ? payload : 'nothing' };
}

function readScreen(screen: string): ScreenReading {
  const lines = linesOf(screen);
  const last = lines.at(-1)?.text ?? '';
  const asks = /^\[asks\] (.*)$/.exec(last);
  if (asks !== null) return { kind: 'asks-permission', question: oneLine(asks[1] ?? '') };
  if (last === '[busy]') return { kind: 'busy' };
  if (last === '[idle]') return { kind: 'idle' };
  return readCrash(lines) ?? { kind: 'unreadable' };
}
