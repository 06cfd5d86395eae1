import type { Attrs, NodeSpec } from 'prosemirror-model';
import { MAX_CELL_SPAN } from './bounds.ts';

// Names, attributes and roles are those of prosemirror-tables, whose commands look them up.

const isSpan = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_CELL_SPAN;

function validateSpan(value: unknown): void {
  if (!isSpan(value)) throw new RangeError('Valeur interdite pour la fusion de cellules');
}

function readSpan(cell: Element, name: 'colspan' | 'rowspan'): number {
  const value = Number(cell.getAttribute(name) ?? 1);
  return isSpan(value) ? value : 1;
}

function cell(tag: 'td' | 'th', tableRole: string): NodeSpec {
  return {
    content: 'block+',
    attrs: { colspan: { default: 1, validate: validateSpan }, rowspan: { default: 1, validate: validateSpan } },
    tableRole,
    isolating: true,
    parseDOM: [{ tag, getAttrs: (element) => ({ colspan: readSpan(element, 'colspan'), rowspan: readSpan(element, 'rowspan') }) }],
    toDOM: ({ attrs }) => [tag, spans(attrs), 0],
  };
}

/** The attributes that a cell writes: only those that say something. */
export function spans(attrs: Attrs): Record<string, number> {
  return {
    ...(attrs.colspan > 1 && { colspan: attrs.colspan }),
    ...(attrs.rowspan > 1 && { rowspan: attrs.rowspan }),
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
