// What is on the person's terminal: frames become the bytes of what changed, and the title of the terminal follows.
import { asciiLine, depthOf, isAsciiOnly, paintLine, repaint } from './terminal/paint.ts';
import type { Terminal } from './terminal/person-terminal.ts';
import { inert } from './terminal/styled.ts';
import type { Frame } from './view/frame.ts';

export interface Screen {
  show(frame: Frame, title: string): void;
  /** What the terminal shows is no longer known; the next frame is drawn as a whole. */
  forget(): void;
}

export function screenOn(terminal: Terminal): Screen {
  const depth = depthOf(terminal.env);
  const isPlain = isAsciiOnly(terminal.env);
  let shown: readonly string[] | undefined;
  let [shownTitle, shownCursor] = ['', ''];
  const titleBytes = (title: string): string => {
    if (title === shownTitle) return '';
    shownTitle = title;
    return `\x1b]0;${inert(title)}\x07`;
  };
  return {
    show(frame, title) {
      const lines = frame.lines.map((one) => paintLine(isPlain ? asciiLine(one) : one, depth));
      const changed = repaint(shown, lines) + titleBytes(title);
      const cursor = cursorBytes(frame);
      shown = lines;
      // Drawing moves the cursor, so its place is said again after it.
      if (changed === '' && cursor === shownCursor) return;
      shownCursor = cursor;
      terminal.write(changed + cursor);
    },
    forget() {
      [shown, shownTitle, shownCursor] = [undefined, '', ''];
    },
  };
}

function cursorBytes({ cursor }: Frame): string {
  return cursor === undefined ? '\x1b[?25l' : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}
