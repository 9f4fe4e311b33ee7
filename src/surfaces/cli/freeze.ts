// Whether anything may begin in this repository.
import { refusedToAgent } from './act.ts';
import { answer, EXIT, type Run, refuse } from './context.ts';

export function setFrozen(kind: 'freeze' | 'thaw'): Run {
  return async (context) => {
    const no = refusedToAgent(context, kind);
    if (no !== undefined) return no;
    const app = context.app();
    const { answers, notes } = await app.gateway.submit([{ kind, by: app.by }]);
    for (const note of notes) context.say(note);
    const [outcome] = answers;
    if (outcome?.kind === 'refused') return refuse(context, outcome.code, outcome.why, outcome.try);
    const engine = app.engine() ?? null;
    const said = outcome?.kind === 'ignored' ? BEFORE[kind] : NOW[kind];
    const further = kind === 'thaw' && engine === null ? [NO_ENGINE] : [];
    answer(context, { frozen: kind === 'freeze', engine }, [said, ...further]);
    return EXIT.ok;
  };
}

const NOW = {
  freeze: 'Nothing new is begun from now on; what is under way goes on. "cadre thaw" ends it.',
  thaw: 'What was kept from beginning begins again.',
} as const;

const BEFORE = {
  freeze: 'cadre is frozen already. "cadre thaw" ends it.',
  thaw: 'cadre is not frozen.',
} as const;

const NO_ENGINE = 'No engine is running, so it goes no further: "cadre engine start" starts one.';
