import type { Attrs, NodeSpec } from 'prosemirror-model';
import { MAX_CELL_SPAN } from './bounds.ts';
import { only } from './rules.ts';

// Names, attributes and roles are those of prosemirror-tables, whose commands expect them.

const isSpan = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_CELL_SPAN;

const isWidth = (value: unknown): boolean =>
  value === null || (Number.isInteger(value) && (value as number) >= 10 && (value as number) <= 100 && (value as number) % 10 === 0);

function readSpan(cell: Element, name: 'colspan' | 'rowspan'): number {
  const value = Number(cell.getAttribute(name) ?? 1);
  return isSpan(value) ? value : 1;
}

function readWidth(cell: Element): number | null {
  const width = Number(/(?:^|\s)w-(\d{2,3})(?:\s|$)/.exec(cell.getAttribute('class') ?? '')?.[1]);
  return isWidth(width) ? width : null;
}

function cell(tag: 'td' | 'th', tableRole: string): NodeSpec {
  return {
    content: 'block+',
    attrs: {
      colspan: { default: 1, validate: only('colspan', isSpan) },
      rowspan: { default: 1, validate: only('rowspan', isSpan) },
      /** Percent of the table, in tens; null: automatic. */
      width: { default: null, validate: only('width', isWidth) },
    },
    tableRole,
    isolating: true,
    parseDOM: [
      {
        tag,
        getAttrs: (element) => ({
          colspan: readSpan(element, 'colspan'),
          rowspan: readSpan(element, 'rowspan'),
          width: readWidth(element),
        }),
      },
    ],
    toDOM: ({ attrs }) => [tag, cellAttributes(attrs), 0],
  };
}

/** Returns a cell's HTML attributes, without defaults. */
export function cellAttributes(attrs: Attrs): Record<string, number | string> {
  return {
    ...(attrs.colspan > 1 && { colspan: attrs.colspan }),
    ...(attrs.rowspan > 1 && { rowspan: attrs.rowspan }),
    ...(attrs.width !== null && { class: `w-${attrs.width}` }),
  };
}

export const tableNodes = {
  table: {
    content: 'table_row+',
    tableRole: 'table',
    isolating: true,
    group: 'block',
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', ['tbody', 0]],
  },
  table_row: {
    content: '(table_cell | table_header)*',
    tableRole: 'row',
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  table_cell: cell('td', 'cell'),
  table_header: cell('th', 'header_cell'),
} satisfies Record<string, NodeSpec>;
