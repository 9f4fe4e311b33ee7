// The bytes that make a terminal draw attention to itself.
import { describe, expect, test } from 'vitest';
import { ringing } from '../../../src/adapters/notify/terminal.ts';

const ITERM = { TERM_PROGRAM: 'iTerm.app', TERM: 'xterm-256color' };
const XTERM = { TERM: 'xterm-256color' };
const BELL = '\u0007';
const NOTICE = `\u001b]9;cadre: It waits.${BELL}`;

describe('a terminal', () => {
  test.each<[string, Parameters<typeof ringing>[0], NodeJS.ProcessEnv, string]>([
    ['rings', { bell: true, osc9: 'off' }, XTERM, BELL],
    ['stays silent', { bell: false, osc9: 'off' }, ITERM, ''],
    ['that is known to show notifications shows it too', { bell: true, osc9: 'auto' }, ITERM, `${NOTICE}${BELL}`],
    ['that is not known for it only rings', { bell: true, osc9: 'auto' }, XTERM, BELL],
    ['shows it if the person says so', { bell: false, osc9: 'on' }, XTERM, NOTICE],
  ])('%s', (_what, how, env, bytes) => {
    expect(ringing(how, 'It waits.', env).bytes).toBe(bytes);
  });

  test('behind tmux gets it wrapped', () => {
    const { bytes } = ringing({ bell: false, osc9: 'on' }, 'It waits.', { ...XTERM, TMUX: '/tmp/tmux-0/default,1,0' });
    expect(bytes).toBe(`\u001bPtmux;\u001b${NOTICE}\u001b\\`);
  });

  test('gets nothing of an agent’s text that acts on it', () => {
    const hostile = 'a\u0007\u001b]52;c;aGk=\u0007\u009d0;x\u009c\u001b\\\r\n\u202eb';
    const { bytes } = ringing({ bell: false, osc9: 'on' }, hostile, XTERM);
    expect(bytes.slice('\u001b]9;'.length, -BELL.length)).toMatch(/^cadre: [ -~]+$/);
  });

  test('says how each way went', () => {
    const results = (how: Parameters<typeof ringing>[0], env: NodeJS.ProcessEnv) =>
      ringing(how, 'x', env).deliveries.map(({ channel, result }) => `${channel} ${result}`);
    expect(results({ bell: true, osc9: 'auto' }, ITERM)).toEqual(['bell sent', 'osc9 sent']);
    expect(results({ bell: true, osc9: 'auto' }, XTERM)).toEqual(['bell sent', 'osc9 missing']);
    expect(results({ bell: false, osc9: 'off' }, XTERM)).toEqual(['bell off', 'osc9 off']);
  });
});
