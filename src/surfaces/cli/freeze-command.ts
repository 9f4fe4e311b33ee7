// The two commands that freeze and thaw a repository.
import { performAnd } from './action-command.ts';
import { answer, EXIT, type Run } from './context.ts';
import { NO_ENGINE, PAUSED } from './text/engine-lines.ts';

export function freezeCommand(action: 'freeze' | 'thaw'): Run {
  return (context) =>
    performAnd(context, { do: action, input: {} }, ({ changed, engine, world }) => {
      const sentence = changed ? CHANGED[action] : UNCHANGED[action];
      const more =
        action === 'thaw' ? [...(world.paused ? [PAUSED] : []), ...(engine === null ? [NO_ENGINE] : [])] : [];
      answer(context, { frozen: action === 'freeze', engine }, [sentence, ...more]);
      return EXIT.ok;
    });
}

const CHANGED = {
  freeze: 'Frozen: running work continues, nothing new starts until "cadre thaw".',
  thaw: 'Thawed: held work is starting.',
} as const;

const UNCHANGED = {
  freeze: 'cadre is already frozen. "cadre thaw" ends it.',
  thaw: 'cadre is not frozen.',
} as const;
