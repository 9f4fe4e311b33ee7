// The further lines of a command's help, so that each fits on a screen.
import { wrapped } from './wrapped.ts';

/** A paragraph with a line that is too long is broken anew; an indented line continues below its second column. */
export function helpLines(lines: readonly string[], width = 80): readonly string[] {
  const fitted: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    const isTooLong = paragraph.some((line) => line.length > width);
    fitted.push(...(isTooLong ? wrapped(paragraph.join(' '), width) : paragraph));
    paragraph = [];
  };
  for (const line of lines) {
    if (line !== '' && !line.startsWith(' ')) {
      paragraph.push(line);
      continue;
    }
    endParagraph();
    fitted.push(...(line.length > width ? continued(line, width) : [line]));
  }
  endParagraph();
  return fitted;
}

function continued(line: string, width: number): readonly string[] {
  const [, start = '', rest = ''] = /^( +(?:\S+(?: \S+)* {2,})?)(.*)$/.exec(line) ?? [];
  const indent = ' '.repeat(start.length);
  return wrapped(rest, width - start.length).map((part, index) => `${index === 0 ? start : indent}${part}`);
}
