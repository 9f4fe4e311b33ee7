// The gateway with a stopwatch at every port, so that each moment of a step is counted in exactly one account.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** What the gateway does between its calls to the ports: deciding, folding, and little else. */
const REST = 'decide and fold';

export const ACCOUNTS = ['lock', 'read', REST, 'append and sync', 'checkpoint', 'make plan-state.json', 'replace it'];

/** `spentIn(work)` answers with the milliseconds that each account had of `work`. */
export function openTimedGateway({ openPorts, around }, { root, env }) {
  const watch = stopwatch(REST);
  around.planStateStore = (make, given) => watch.around(make(...given), { write: 'replace it' });
  around.fileJournal = (make, [ports]) => make(timedFiles(watch, ports));
  around.openGateway = (make, [ports]) => make(timedPorts(watch, ports));
  const { gateway } = openPorts({ cwd: root, env, pid: process.pid, command: 'cadre bench' });
  return { gateway, spentIn: watch.spentIn };
}

function timedFiles(watch, ports) {
  const take = async (...given) => timedLock(watch, await watch.during('lock', () => ports.locks.take(...given)));
  const accounts = { read: 'read', confirm: 'append and sync', append: 'append and sync', rotate: 'checkpoint' };
  return { ...ports, locks: { ...ports.locks, take }, segments: watch.around(ports.segments, accounts) };
}

function timedLock(watch, lock) {
  return watch.around(lock, { stillOurs: 'lock', release: 'lock' });
}

function timedPorts(watch, ports) {
  const lockPlanState = async (...given) => {
    const result = await watch.during('lock', () => ports.planState.lock(...given));
    return result.kind === 'held' ? { ...result, lock: timedLock(watch, result.lock) } : result;
  };
  const planState = watch.around(ports.planState, { read: 'read', write: 'make plan-state.json' });
  return {
    ...ports,
    checkpoints: watch.around(ports.checkpoints, { load: 'read', save: 'checkpoint' }),
    planState: { ...planState, lock: lockPlanState },
  };
}

/** One account runs at any moment; a call inside another call stops the outer one's account meanwhile. */
function stopwatch(rest) {
  let spent = new Map();
  let running = rest;
  let since = 0;
  const change = (to) => {
    const now = performance.now();
    spent.set(running, (spent.get(running) ?? 0) + now - since);
    [running, since] = [to, now];
  };
  const timed = (account, call) => {
    const outer = running;
    change(account);
    try {
      return call();
    } finally {
      change(outer);
    }
  };
  return {
    /** The same object, with the calls that are named counted in their accounts. */
    around: (target, accounts) =>
      new Proxy(target, {
        get(_, name) {
          const member = target[name];
          if (typeof member !== 'function') return member;
          const account = accounts[name];
          return (...given) =>
            account === undefined ? member.apply(target, given) : timed(account, () => member.apply(target, given));
        },
      }),
    /** For a call that answers later: the waiting is counted too. */
    async during(account, call) {
      const outer = running;
      change(account);
      try {
        return await call();
      } finally {
        change(outer);
      }
    },
    async spentIn(work) {
      spent = new Map();
      since = performance.now();
      await work();
      change(rest);
      return spent;
    },
  };
}

const PROJECT = resolve(import.meta.dirname, '..');

/** What is made through a stopwatch, by the module of src that makes it. */
const MAKERS = new Map([
  [join(PROJECT, 'src/engine/gateway.ts'), 'openGateway'],
  [join(PROJECT, 'src/adapters/journal/file-journal.ts'), 'fileJournal'],
  [join(PROJECT, 'src/adapters/plans/plan-state-store.ts'), 'planStateStore'],
]);

/**
 * The built program shows no ports. So src/compose/app.ts is bundled once more, as it is, except that src/compose calls the
 * makers by way of `around`: what is measured is put together by the program itself and not by a copy here.
 */
export async function loadTimedProgram() {
  // Inside the project, because the bundle looks for koffi from its own folder.
  const bundle = join(PROJECT, 'node_modules', '.cadre', `bench-${process.pid}.mjs`);
  try {
    await build({
      stdin: { contents: `export * from './src/compose/app.ts'; export * from 'around';`, resolveDir: PROJECT },
      plugins: [callMakersByWayOfAround],
      outfile: bundle,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: ['koffi'],
      logLevel: 'warning',
    });
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle, { force: true });
  }
}

const callMakersByWayOfAround = {
  name: 'call-makers-by-way-of-around',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^around$/ }, () => ({ path: 'around', namespace: 'around' }));
    onLoad({ filter: /.*/, namespace: 'around' }, () => ({ contents: 'export const around = {};' }));
    onResolve({ filter: /\.ts$/ }, ({ path, importer, resolveDir }) => {
      const maker = resolve(resolveDir, path);
      const isAsked = importer.startsWith(join(PROJECT, 'src/compose')) && MAKERS.has(maker);
      return isAsked ? { path: maker, namespace: 'maker' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'maker' }, ({ path }) => {
      const name = MAKERS.get(path);
      const contents = `
        import { ${name} as make } from ${JSON.stringify(path)};
        import { around } from 'around';
        export const ${name} = (...given) => around.${name}(make, given);`;
      return { contents, resolveDir: PROJECT };
    });
  },
};
