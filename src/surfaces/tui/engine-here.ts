// The engine in this process: where no other process is the engine, the interface is.
import type { App } from '../../app/app.ts';
import { Failure } from '../../core/model/failure.ts';

export interface EngineHere {
  /** Whether this process is the engine. */
  isHere(): boolean;
  /** Becomes the engine unless another process is; returns once signals are taken. */
  ensure(): Promise<void>;
  /** Stops being the engine, and returns when the lock is released. */
  stop(): Promise<void>;
  /** Stops being the engine; where something is being built, one in the background continues. Says what became of it. */
  handOver(isActive: boolean): Promise<string | undefined>;
}

export interface EngineHerePorts {
  readonly app: App;
  /** An app of the same repository with its own connections, which end with the engine. */
  another(): App;
  warn(text: string): void;
  /** It stopped because of a bug. */
  failed(error: unknown): void;
}

interface Running {
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  stop(): void;
}

export function engineHere(ports: EngineHerePorts): EngineHere {
  const { app } = ports;
  let running: Running | undefined;
  const stop = async (): Promise<void> => {
    running?.stop();
    await running?.ended;
  };
  return {
    isHere: () => running !== undefined,
    async ensure() {
      if (running === undefined && app.engine.holder() === undefined)
        running = start(ports, () => {
          running = undefined;
        });
      await running?.ready;
    },
    stop,
    async handOver(isActive) {
      if (running === undefined) return undefined;
      await stop();
      if (!isActive) return undefined;
      try {
        await app.perform({ do: 'engine-start', input: {} });
        return undefined;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return error.message;
      }
    },
  };
}

function start({ another, warn, failed, app }: EngineHerePorts, ended: () => void): Running {
  const own = another();
  const stop = new AbortController();
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const run = async (): Promise<void> => {
    try {
      await own.engine.run({ warn, tell: () => undefined, announce: () => undefined }, stop.signal, isReady);
    } catch (error) {
      if (!(error instanceof Failure)) failed(error);
      // Another process was quicker: it is the engine, and there is nothing to report.
      else if (app.engine.holder() === undefined) warn(error.message);
    } finally {
      ended();
      isReady();
      await own.close();
    }
  };
  return { ready, ended: run(), stop: () => stop.abort() };
}
