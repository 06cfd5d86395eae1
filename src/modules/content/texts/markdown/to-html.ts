import type { Token, Tokens } from 'marked';
import { escapeHtml } from '../../../../shared/escapes.ts';
import { type ListLabel, labelAttributes } from '../../../../shared/rich-text/list-labels.ts';
import { Definitions } from './definitions.ts';
import { lex, type WideTable } from './dialect.ts';
import { newlinesIn, revealed, withPlainDollars } from './hidden-text.ts';
import { type LetteredItem, LetteredLists } from './lettered-lists.ts';
import { LINE_ATTRIBUTE, type Report, withLines } from './source-lines.ts';

/** Start of the notes at the end. It differs from any list of an author, whose tags carry line attributes. */
export const NOTES = '<p><strong>Notes</strong></p><ol>';

/**
 * Converts Markdown into HTML whose elements carry the line number of the file. Reports content that HTML cannot represent.
 * @param definitions those of the entire file, when `markdown` is only a part of it
 * @param keepsAll whether reported content is kept as far as possible
 * @param reportBox reports a box to tick, which becomes a sign (☐ or ☒)
 */
export function markdownToHtml(
  markdown: string,
  firstLine: number,
  report: Report,
  {
    definitions = new Definitions(markdown, firstLine),
    keepsAll = false,
    reportBox = (line) => report(line, 'Case à cocher devenue un signe (☐ ou ☒)'),
  }: { definitions?: Definitions; keepsAll?: boolean; reportBox?: (line: number) => void } = {},
): string {
  const left = new Set<number>();
  for (;;) {
    const lists = new LetteredLists(markdown, left);
    const reports: (() => void)[] = [];
    const later: Report = (line, message) => reports.push(() => report(line, message));
    const writer = new Writer(later, definitions, keepsAll, (line) => reports.push(() => reportBox(line)), lists, firstLine);
    const html = writer.blocks(lex(lists.source, definitions.links), firstLine) + writer.notes();
    const unread = [...lists.items.keys()].filter((line) => !writer.readItems.has(line));
    for (const line of unread) left.add(line);
    // Labels of which the parser made no items are written again as text.
    if (unread.length > 0) continue;
    for (const send of reports) send();
    return html;
  }
}

/** Escapes text but keeps entities, which Markdown leaves as written. Dollars in it open no formula. */
function escapeExceptEntities(text: string): string {
  return withPlainDollars(text).replaceAll(/&(?:#\d{1,7}|#[Xx][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]*);|[&<>"]/g, (found) =>
    found.length > 1 ? found : escapeHtml(found),
  );
}

class Writer {
  readonly #report: Report;
  readonly #definitions: Definitions;
  readonly #keepsAll: boolean;
  readonly #reportBox: (line: number) => void;
  readonly #lists: LetteredLists;
  readonly #firstLine: number;
  /** Lines of the lettered items that were written, from 0 on. */
  readonly readItems = new Set<number>();
  /** Numbers of notes by id, in the order in which the text refers to them. */
  readonly #notes = new Map<string, number>();

  constructor(
    report: Report,
    definitions: Definitions,
    keepsAll: boolean,
    reportBox: (line: number) => void,
    lists: LetteredLists,
    firstLine: number,
  ) {
    this.#lists = lists;
    this.#firstLine = firstLine;
    this.#report = report;
    this.#definitions = definitions;
    this.#keepsAll = keepsAll;
    this.#reportBox = reportBox;
  }

  /** Returns the notes that the text refers to, laid out like those of a Word document. */
  notes(): string {
    let items = '';
    // A note may refer to another note, which extends this map during the loop.
    for (const id of this.#notes.keys()) {
      const note = this.#definitions.notes.get(id);
      if (note) items += this.#element('li', note.line, this.blocks(note.tokens, note.line));
    }
    return items && `${NOTES}${items}</ol>`;
  }

  blocks(tokens: readonly Token[], firstLine: number): string {
    return this.#each(tokens, firstLine, (token, line) => this.#block(token, line));
  }

  #inlines(tokens: readonly Token[] | undefined, firstLine: number): string {
    return this.#each(tokens ?? [], firstLine, (token, line) => this.#inline(token, line));
  }

  /** Writes each token with its line. A token's `raw` is its source, so its newlines count the lines that it takes. */
  #each(tokens: readonly Token[], firstLine: number, write: (token: Token, line: number) => string): string {
    let line = firstLine;
    let html = '';
    for (const token of tokens) {
      html += write(token, line);
      line += newlinesIn(token.raw);
    }
    return html;
  }

  #element(tag: string, line: number, content: string, attributes = ''): string {
    return `<${tag} ${LINE_ATTRIBUTE}="${line}:${line}"${attributes}>${content}</${tag}>`;
  }

  #block(token: Token, line: number): string {
    switch (token.type) {
      case 'space':
      case 'checkbox':
        return '';
      case 'def':
        if (this.#definitions.isUnused(token as Tokens.Def))
          this.#report(line, `Adresse dont aucun lien ne se sert : ${token.raw.trim().slice(0, 120)}`);
        return '';
      case 'note':
        return this.#note(token as Tokens.Generic, line);
      case 'paragraph':
      case 'text':
        return this.#paragraph(token as Tokens.Paragraph, line);
      case 'heading':
        return this.#element(`h${(token as Tokens.Heading).depth}`, line, this.#inlines(token.tokens, line));
      case 'hr':
        return `<hr ${LINE_ATTRIBUTE}="${line}:${line}">`;
      case 'code':
        return this.#code(token as Tokens.Code, line);
      case 'blockquote':
        return this.#element('blockquote', line, this.blocks(token.tokens ?? [], line));
      case 'list':
        return this.#list(token as Tokens.List, line);
      case 'table':
        return this.#table(token as Tokens.Table, line);
      case 'html':
        return this.#html(token.raw, line);
      default:
        return this.#unknown(token, line);
    }
  }

  /** Writes a block of HTML. Unclosed elements would swallow all text after them. */
  #html(raw: string, line: number): string {
    const [, opened = ''] = /^ {0,3}<(!--|script|style|pre|textarea)(?=[\s>]|(?<=--))/i.exec(raw) ?? [];
    const end = opened === '!--' ? '-->' : `</${opened.toLowerCase()}`;
    if (!this.#keepsAll || opened === '' || raw.toLowerCase().includes(end)) return withLines(revealed(raw), line);
    this.#report(line, `Balise jamais fermée, reprise comme texte : <${opened}`);
    return this.#element('p', line, escapeHtml(revealed(raw.trim())));
  }

  /** Writes a note. Its text is placed at the end; a note without reference stays in its place. */
  #note({ id, tokens = [] }: Tokens.Generic, line: number): string {
    if (this.#definitions.isReached(id, line)) return '';
    this.#report(line, this.#keepsAll ? `Note que rien n'appelle, restée à sa place : [^${id}]` : `Note que rien n'appelle : [^${id}]`);
    return this.#element('p', line, escapeHtml(`[^${id}]:`)) + this.blocks(tokens, line);
  }

  #reference({ raw, id }: Tokens.Generic, line: number): string {
    if (!this.#definitions.notes.has(id)) {
      if (this.#keepsAll) this.#report(line, `Appel d'une note absente, resté comme texte : ${raw}`);
      return escapeHtml(raw);
    }
    const number = this.#notes.get(id) ?? this.#notes.size + 1;
    this.#notes.set(id, number);
    return this.#element('sup', line, `[${number}]`);
  }

  #unknown(token: Token, line: number): string {
    this.#report(line, `Ce texte Markdown n'est pas admis (${token.type})`);
    return this.#keepsAll ? escapeHtml(token.raw) : '';
  }

  #paragraph(token: Tokens.Paragraph | Tokens.Text, line: number): string {
    return this.#element('p', line, token.tokens ? this.#inlines(token.tokens, line) : escapeExceptEntities(token.text));
  }

  #code({ lang, text, raw }: Tokens.Code, line: number): string {
    const name = lang && this.#keepsAll ? this.#language(lang, line) : lang;
    const language = name ? ` class="language-${escapeHtml(name.toLowerCase())}"` : '';
    const fenced = /^ {0,3}(?:`{3}|~{3})/.test(raw) ? line + 1 : line;
    return this.#element('pre', line, this.#element('code', fenced, escapeHtml(text), language));
  }

  /** Returns the language of a code block, from an info string that may hold more, such as `{.python .numberLines}`. */
  #language(said: string, line: number): string {
    const [, name = ''] = /^\{?\.?([a-z0-9+#-]{1,20})(?=[\s,{}]|$)/i.exec(said.trim()) ?? [];
    if (name !== said.trim()) this.#report(line, `À côté d'un bloc de code, laissé de côté : ${said.slice(0, 80)}`);
    return name;
  }

  #list(list: Tokens.List, line: number): string {
    const lists: { line: number; label: ListLabel; start: number; next: number; items: string }[] = [];
    this.#each(list.items as unknown as Token[], line, (item, itemLine) => {
      const { task, checked, tokens, raw } = item as Tokens.ListItem;
      if (task) this.#reportBox(itemLine);
      const content = this.blocks(tokens, itemLine);
      const last = lists.at(-1);
      const lettered = this.#letteredAt(itemLine, raw);
      const label = lettered ? lettered.label : /^\s*\d+\)/.test(raw) ? '1)' : null;
      const number = lettered?.number ?? last?.next ?? (list.start === '' ? 1 : list.start);
      const isNext = last?.label === label && last.next === number;
      const own = last && isNext ? last : { line: itemLine, label, start: last && !lettered ? 1 : number, next: number, items: '' };
      if (own !== last) lists.push(own);
      own.next = number + 1;
      own.items += this.#element('li', itemLine, task ? content.replace(/^(?:<p [^>]*>)?/, `$&${checked ? '☒' : '☐'} `) : content);
      return '';
    });
    return lists
      .map(({ line, label, start, items }) => {
        if (!list.ordered) return this.#element('ul', line, items);
        const attributes = Object.entries({ ...(start !== 1 && { start }), ...labelAttributes(label) });
        return this.#element('ol', line, items, attributes.map(([name, value]) => ` ${name}="${value}"`).join(''));
      })
      .join('');
  }

  #letteredAt(line: number, raw: string): LetteredItem | undefined {
    const item = /^\s*\d/.test(raw) ? this.#lists.items.get(line - this.#firstLine) : undefined;
    if (item) this.readItems.add(line - this.#firstLine);
    return item;
  }

  #table({ header, rows, align, wide = [] }: WideTable, line: number): string {
    const cell = (tokens: Token[], tag: string, side: string | null | undefined, cellLine: number): string => {
      const content = this.#inlines(tokens, cellLine);
      const isAligned = content !== '' && (side === 'center' || side === 'right');
      return this.#element(tag, cellLine, isAligned ? this.#element('p', cellLine, content, ` class="align-${side}"`) : content);
    };
    const row = (cells: Tokens.TableCell[], tag: string, rowLine: number): string =>
      this.#element('tr', rowLine, cells.map(({ tokens }, column) => cell(tokens, tag, align[column], rowLine)).join(''));
    // The line of dashes follows the header.
    const body = rows.map((cells, index) => row(cells, 'td', line + 2 + index)).join('');
    for (const index of wide)
      this.#report(
        line + 2 + index,
        this.#keepsAll
          ? "Cette ligne d'un tableau a plus de cellules que son en-tête : des colonnes ont été ajoutées"
          : "Cette ligne d'un tableau a plus de cellules que son en-tête (un | dans une cellule s'écrit \\|)",
      );
    return this.#element('table', line, `<thead>${row(header, 'th', line)}</thead>${body && `<tbody>${body}</tbody>`}`);
  }

  #inline(token: Token, line: number): string {
    switch (token.type) {
      // The item of the list writes the box.
      case 'checkbox':
        return '';
      case 'text':
        return token.tokens ? this.#inlines(token.tokens, line) : escapeExceptEntities((token as Tokens.Text).text);
      case 'formula':
        return token.raw;
      case 'noteReference':
        return this.#reference(token as Tokens.Generic, line);
      case 'escape':
        return token.raw === '\\$' ? token.raw : escapeHtml((token as Tokens.Escape).text);
      case 'strong':
        return this.#element('strong', line, this.#inlines(token.tokens, line));
      case 'em':
        return this.#element('em', line, this.#inlines(token.tokens, line));
      case 'del':
        return this.#element('s', line, this.#inlines(token.tokens, line));
      case 'codespan':
        return this.#element('code', line, escapeHtml((token as Tokens.Codespan).text));
      case 'br':
        return '<br>\n';
      case 'link': {
        const { href, title } = token as Tokens.Link;
        if (title)
          this.#report(line, this.#keepsAll ? `Le titre d'un lien est laissé de côté : ${title}` : "Le titre d'un lien n'est pas admis");
        return this.#element('a', line, this.#inlines(token.tokens, line), ` href="${escapeExceptEntities(href)}"`);
      }
      case 'image':
        return this.#image(token as Tokens.Image, line);
      case 'html':
        return withLines(revealed(token.raw), line);
      default:
        return this.#unknown(token, line);
    }
  }

  #image({ href, text, title }: Tokens.Image, line: number): string {
    const caption = title ? ` title="${escapeExceptEntities(title)}"` : '';
    return `<img ${LINE_ATTRIBUTE}="${line}:${line}" src="${escapeExceptEntities(href)}" alt="${escapeExceptEntities(text)}"${caption}>`;
  }
}
