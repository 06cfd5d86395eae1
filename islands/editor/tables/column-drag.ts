import { Plugin, type Transaction } from 'prosemirror-state';
import { TableMap } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';

/** Distance from a cell's edge at which its column can be dragged, in px. */
const REACH = 5;

/** The edge of a cell under the mouse. */
interface Edge {
  readonly cell: HTMLElement;
  readonly table: HTMLElement;
}

/** The end of a column can be dragged with the mouse: the width changes in tens of percent of the table, as they are stored. */
export function columnDrag(): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousemove: (view, event) => {
          view.dom.parentElement?.toggleAttribute('data-at-edge', event.buttons === 0 && edgeAt(event) !== null);
          return false;
        },
        mousedown: (view, event) => {
          const edge = event.button === 0 ? edgeAt(event) : null;
          if (!edge) return false;
          event.preventDefault();
          drag(view, edge);
          return true;
        },
      },
    },
  });
}

function edgeAt({ target, clientX }: MouseEvent): Edge | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null;
  const table = cell?.closest('table');
  if (!cell || !table) return null;
  const { left, right } = cell.getBoundingClientRect();
  return Math.abs(clientX - (isRightToLeft(table) ? left : right)) <= REACH ? { cell, table } : null;
}

const isRightToLeft = (element: HTMLElement): boolean => getComputedStyle(element).direction === 'rtl';

function drag(view: EditorView, { cell, table }: Edge): void {
  const frame = view.dom.parentElement as HTMLElement;
  const box = table.getBoundingClientRect();
  const { left, right } = cell.getBoundingClientRect();
  const label = document.createElement('span');
  const line = document.createElement('div');
  line.className = 'editor__edge';
  line.append(label);
  const ended = new AbortController();
  let width: number | null = null;

  const move = ({ clientX }: MouseEvent) => {
    const share = (isRightToLeft(table) ? right - clientX : clientX - left) / box.width;
    width = Math.min(100, Math.max(10, Math.round(share * 10) * 10));
    label.textContent = `${width} %`;
    frame.append(line);
    const around = (line.offsetParent ?? document.body).getBoundingClientRect();
    line.style.left = `${clientX - around.left}px`;
    line.style.top = `${box.top - around.top}px`;
    line.style.height = `${box.height}px`;
  };
  const end = () => {
    ended.abort();
    line.remove();
  };
  const { signal } = ended;
  addEventListener('mousemove', move, { signal });
  addEventListener(
    'mouseup',
    () => {
      end();
      if (width === null || view.isDestroyed || !cell.isConnected) return;
      view.dispatch(setWidthOf(view.state.tr, view.posAtDOM(cell, 0) - 1, width));
      view.focus();
    },
    { signal },
  );
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal, capture: true });
}

/**
 * Sets the width of a cell's column, in percent of the table. Of a cell over several columns, it is the last one's.
 * @param pos position before the cell
 */
function setWidthOf(tr: Transaction, pos: number, width: number): Transaction {
  const $cell = tr.doc.resolve(pos);
  const table = $cell.node(-1);
  const start = $cell.start(-1);
  const map = TableMap.get(table);
  const { right } = map.findCell(pos - start);
  for (const at of map.cellsInRect({ left: right - 1, right, top: 0, bottom: map.height })) {
    // A cell that spans columns cannot hold the width of a single one.
    if (table.nodeAt(at)?.attrs.colspan === 1) tr.setNodeAttribute(start + at, 'width', width);
  }
  return tr;
}
