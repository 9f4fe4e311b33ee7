// The interface in a folder where cadre cannot work, for example outside of a repository.
import type { InterfacePorts } from './interface.ts';
import { screenOn } from './screen.ts';
import { decode, decodeRest, type Input } from './terminal/input.ts';
import { viewNowhere } from './view/nowhere.ts';

/** Until the person quits. `why`: a sentence. */
export async function runNowhere(
  { terminal, machine, visit, stop }: Pick<InterfacePorts, 'terminal' | 'machine' | 'visit' | 'stop'>,
  why: string,
): Promise<void> {
  const ended = new AbortController();
  const screen = screenOn(terminal);
  let [at, rest, isLent] = [0, '', false];
  const draw = (): void => {
    const repositories = machine.repositories();
    at = Math.max(0, Math.min(at, repositories.length - 1));
    if (!isLent) screen.show(viewNowhere({ size: terminal.size(), why, repositories, at }), 'cadre');
  };
  const open = async (): Promise<void> => {
    const chosen = machine.repositories()[at];
    if (chosen === undefined) return;
    isLent = true;
    await terminal.lend(() => visit(chosen.root));
    isLent = false;
    draw();
  };
  const take = (inputs: readonly Input[]): void => {
    for (const input of inputs) {
      const name = input.kind === 'key' ? input.name : '';
      if (name === 'q' || name === 'ctrl-c') ended.abort();
      else if (name === 'enter' || name === 'l') void open();
      else if (name === 'ctrl-z') terminal.suspend();
      else at += MOVES[name] ?? 0;
    }
    if (!ended.signal.aborted) draw();
  };
  stop.addEventListener('abort', () => ended.abort());
  terminal.open({
    typed(text) {
      const { inputs, rest: left } = decode(rest + text);
      rest = left;
      take(inputs);
    },
    paused() {
      const inputs = decodeRest(rest);
      rest = '';
      take(inputs);
    },
    resized: draw,
    disturbed() {
      screen.forget();
      draw();
    },
    stopped: () => terminal.suspend(),
  });
  try {
    draw();
    if (!stop.aborted)
      await new Promise<void>((end) => ended.signal.addEventListener('abort', () => end(), { once: true }));
  } finally {
    terminal.close();
  }
}

const MOVES: { readonly [key: string]: number } = { j: 1, down: 1, k: -1, up: -1 };
