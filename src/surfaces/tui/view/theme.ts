// The colours of the interface. Yellow means "needs you" and nothing else, red is broken, dim is nothing to do.
import type { Style } from '../terminal/styled.ts';

export type Tone =
  | 'plain'
  | 'strong'
  | 'dim'
  | 'need'
  | 'broken'
  | 'good'
  | 'done'
  | 'frame'
  | 'focus'
  | 'implement'
  | 'verify'
  | 'spec'
  | 'quality'
  | 'merge';

export const TONES: { readonly [tone in Tone]: Style } = {
  plain: {},
  strong: { bold: true },
  dim: { dim: true },
  need: { colour: 3, bold: true },
  broken: { colour: 1, bold: true },
  good: { colour: 2 },
  done: { colour: 2, dim: true },
  frame: { dim: true },
  focus: { colour: 6, bold: true },
  implement: { colour: 6, bold: true },
  verify: { colour: 4, bold: true },
  spec: { colour: 5, bold: true },
  quality: { colour: 13, bold: true },
  merge: { colour: 2, bold: true },
};
