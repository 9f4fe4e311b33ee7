// Any other program: runs what its profile says, with the prompt where the flags say, or last.
import type { Agent, Start, StartRequest } from '../agent.ts';
import { askToRead, type HandOver, handOver } from '../hand-over.ts';
import { readCrash } from '../screen/crash.ts';
import { linesOf } from '../screen/screen-lines.ts';

/** Allows nothing, because cadre does not know the program's settings. */
export const generic: Agent = {
  name: 'generic',
  keeps: [],
  basis: 'Nothing is known about the program; its screen is only checked for the end of a crash.',
  start: startFromProfile,
  // It may never exit.
  headless: () => undefined,
  resume: () => undefined,
  resumeHeadless: () => undefined,
  readScreen: (screen) => readCrash(linesOf(screen)) ?? { kind: 'unreadable' },
  readReport: () => ({ kind: 'nothing' }),
};

/** A whole flag, or the part after its "=". Anywhere else it could be part of a shell command. */
const PLACE = /^(?<before>[^=]*=)?\{(?<what>prompt|prompt_file)\}$/;

function startFromProfile(request: StartRequest): Start {
  const path = `${request.folder}/prompt.md`;
  const places = request.flags.map((flag) => PLACE.exec(flag)?.groups);
  const wantsFile = places.some((place) => place?.what === 'prompt_file');
  const handed: HandOver = wantsFile
    ? { argument: askToRead(path, request.prompt), prompt: 'file', files: [{ path, text: request.prompt }] }
    : handOver(request);
  const { argument = '', files, prompt } = handed;
  const flags = request.flags.map((flag, index) => {
    const place = places[index];
    return place === undefined ? flag : `${place.before ?? ''}${place.what === 'prompt_file' ? path : argument}`;
  });
  const isPlaced = places.some((place) => place !== undefined);
  return {
    argv: [request.program, ...flags, ...(isPlaced || argument === '' ? [] : [argument])],
    env: {},
    files,
    prompt,
  };
}
