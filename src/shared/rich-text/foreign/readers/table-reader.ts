import type { Notes } from '../support/notes.ts';
import type { Writer } from '../writer/writer.ts';
import { type Context, type Reading, type Source, textBlock } from './context.ts';
import { TableWriter } from './tables.ts';

/** Reads tables. Text between cells is written before the table. */
export class TableReader {
  readonly #writer: Writer;
  readonly #notes: Notes;

  constructor(writer: Writer, notes: Notes) {
    this.#writer = writer;
    this.#notes = notes;
  }

  /** Returns undefined for an element that is no part of a table here. */
  read(source: Source, inner: Context): Reading | null | undefined {
    const { tag, element, style } = source;
    if (tag === 'table') return this.#table(inner);
    const { table } = inner;
    if (!table) return undefined;
    if (tag === 'thead' || tag === 'tbody' || tag === 'tfoot') return { context: { ...inner, headRow: tag === 'thead' } };
    if (tag === 'tr') {
      table.row();
      if (/^0(?:px|pt)?$/.test(element.getAttribute('height') ?? style.all.height ?? '') && !/\S/.test(element.textContent ?? '')) {
        table.dropRow();
        return null;
      }
      // If a row of `thead` has `th` cells, its `td` cells are no headers: an empty corner, for instance.
      const named = [...element.children].some((cell) => cell.localName.toLowerCase() === 'th');
      return { context: { ...inner, headRow: inner.headRow && !named } };
    }
    return tag === 'td' || tag === 'th' ? this.#cell(source, inner, table) : undefined;
  }

  #table(inner: Context): Reading | undefined {
    const writer = this.#writer;
    if (!writer.hasRoom) {
      this.#notes.add('nesting');
      return undefined;
    }
    const table = new TableWriter(writer.document);
    writer.block(table.element);
    writer.enter(table.element.parentNode as Element, table.element, 0);
    return {
      context: {
        ...inner,
        table,
        list: null,
        tag: 'p',
        indent: 0,
        paragraph: false,
        headRow: false,
        block: { ...inner.block, align: null },
      },
      leave: () => {
        writer.leave();
        if (!table.finish()) table.element.parentNode?.removeChild(table.element);
      },
    };
  }

  #cell({ element, tag, style }: Source, inner: Context, table: TableWriter): Reading {
    const writer = this.#writer;
    const head = tag === 'th' || inner.headRow;
    const cell = table.cell(element, head ? 'th' : 'td', style.all);
    const background = style.all['background-color'] ?? style.all.background ?? element.getAttribute('bgcolor') ?? '';
    if (
      /^(?:#(?!f{3,6}\b)|rgb\((?!255, ?255, ?255\))|(?!white|none|transparent|inherit|initial|auto|windowtext)[a-z]{3,}\b)/i.test(
        background,
      )
    )
      this.#notes.add('cellColor');
    writer.enter(cell, null, 3);
    return {
      context: { ...inner, table: null, headRow: false, paragraph: true, inList: false },
      leave: () => {
        writer.endLine();
        if (!cell.firstChild) writer.emptyBlock(textBlock(inner));
        writer.leave();
      },
    };
  }
}
