// Where the panes are on a screen of a given size.
import type { Model, Pane } from './model.ts';

/** The inside of a pane, without its frame. */
export interface Box {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

export interface Layout {
  /** `wide`: three framed panes; `stacked`: the list above the window; `single`: one of them. */
  readonly kind: 'wide' | 'stacked' | 'single';
  readonly panes: { readonly [pane in Pane]?: Box };
  /** Below the list, and below the window; where there is room. */
  readonly latest?: Box;
  readonly why?: Box;
}

const [SIDEBAR, LIST] = [18, 44];
const [LATEST_ROWS, WHY_ROWS] = [4, 4];

export function layoutOf({ size: { columns, rows }, focus, isZoomed }: Layouted): Layout {
  const body = { row: 1, rows: Math.max(1, rows - 2) };
  if (isZoomed || columns < 64 || rows < 20) {
    const shown = focus === 'window' ? 'window' : 'list';
    return { kind: 'single', panes: { [shown]: { ...body, column: 0, columns } } };
  }
  return columns < 100 ? stacked(columns, body, focus) : wide(columns, body);
}

type Layouted = Pick<Model, 'size' | 'focus' | 'isZoomed'>;

interface Body {
  readonly row: number;
  readonly rows: number;
}

/** The focused pane is the larger one. */
function stacked(columns: number, body: Body, focus: Pane): Layout {
  const listRows = Math.floor((body.rows - 1) * (focus === 'window' ? 0.35 : 0.58));
  return {
    kind: 'stacked',
    panes: {
      list: { row: body.row, column: 0, rows: listRows, columns },
      window: { row: body.row + listRows + 1, column: 0, rows: body.rows - listRows - 1, columns },
    },
  };
}

function wide(columns: number, body: Body): Layout {
  const list = columns < 160 ? LIST : Math.min(70, Math.floor(columns * 0.32));
  const inside = { row: body.row + 1, rows: body.rows - 2 };
  const hasMore = body.rows >= 30;
  const window = columns - SIDEBAR - list;
  const listBox = { ...inside, column: SIDEBAR + 1, columns: list - 2 };
  const windowBox = { ...inside, column: SIDEBAR + list + 1, columns: window - 2 };
  const below = (box: Box, rows: number): Box => ({ ...box, row: box.row + box.rows - rows, rows });
  const above = (box: Box, rows: number): Box => ({ ...box, rows: box.rows - rows - 1 });
  return {
    kind: 'wide',
    panes: {
      sidebar: { ...inside, column: 1, columns: SIDEBAR - 2 },
      list: hasMore ? above(listBox, LATEST_ROWS) : listBox,
      window: hasMore ? above(windowBox, WHY_ROWS) : windowBox,
    },
    ...(hasMore ? { latest: below(listBox, LATEST_ROWS), why: below(windowBox, WHY_ROWS) } : {}),
  };
}
