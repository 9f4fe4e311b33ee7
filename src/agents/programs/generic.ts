// Any program: what its profile says is what is run, with the prompt put where the flags say, or last.
import type { Agent, Start, StartRequest } from '../agent.ts';
import { askToRead, type HandOver, handOver } from '../hand-over.ts';
import { readCrash } from '../screen/crash.ts';
import { linesOf } from '../screen/screen-lines.ts';

/** Nothing is granted, because nothing is known about how this program is told. */
export const generic: Agent = {
  name: 'generic',
  basis: 'Nothing is known about the program; its screen is read for the last words of a crash only.',
  start: startAsTold,
  // Whether it would end by itself is not known.
  headless: () => undefined,
  resume: () => undefined,
  resumeHeadless: () => undefined,
  readScreen: (screen) => readCrash(linesOf(screen)) ?? { kind: 'unreadable' },
  readReport: () => ({ kind: 'nothing' }),
};

/** A whole flag, or what stands after its "=". Anywhere else it could be part of a command line for a shell. */
const PLACE = /^(?<before>[^=]*=)?\{(?<what>prompt|prompt_file)\}$/;

function startAsTold(request: StartRequest): Start {
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
