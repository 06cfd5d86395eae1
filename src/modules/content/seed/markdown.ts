import { Marked, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { escapeHtml } from '../../../shared/rich-text/serialise.ts';
import type { Report } from './fault.ts';
import { LINE_ATTRIBUTE, withLines } from './html-lines.ts';

const DISPLAY = /^ {0,3}(\$\$(?:\\[\s\S]|(?!\n[ \t]*\n)[^\\$])+\$\$)[ \t]*(?:\n|$)/;
const INLINE = /^(?:\$\$(?:\\[\s\S]|[^\\$])+\$\$|\$(?:\\.|[^\\$\n])+\$)/;

// Formulas are only kept away from Markdown here, whose `_` and `*` they are full of; the reader of the body renders them.
const display: TokenizerAndRendererExtension = {
  name: 'formulaBlock',
  level: 'block',
  start: (source) => /(?:^|\n) {0,3}\$\$/.exec(source)?.index,
  tokenizer: (source) => {
    const found = DISPLAY.exec(source);
    return found ? { type: 'formulaBlock', raw: found[0], text: found[1] } : undefined;
  },
};
const inlineFormula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => source.indexOf('$'),
  tokenizer: (source) => {
    const found = INLINE.exec(source);
    return found ? { type: 'formula', raw: found[0], text: found[0] } : undefined;
  },
};

const marked = new Marked({
  gfm: true,
  extensions: [display, inlineFormula],
  hooks: {
    // What looks like the end of an emphasis inside a formula is none.
    emStrongMask: (source) => source.replace(/\\\$|(`+)[\s\S]*?\1|\$\$?(?:\\.|[^\\$\n])+\$\$?/g, (formula) => 'a'.repeat(formula.length)),
  },
});

/**
 * HTML for Markdown, each element carrying its line of the file; what HTML cannot say is reported.
 * @param keepsAll whether what is reported is carried over all the same, as well as can be
 */
export function markdownToHtml(markdown: string, firstLine: number, report: Report, keepsAll = false): string {
  return new Writer(report, keepsAll).blocks(marked.lexer(markdown), firstLine);
}

/** Escapes a text in which Markdown leaves entities as they were written. */
function escapeText(text: string): string {
  return text.replaceAll(/&(?:#\d{1,7}|#[Xx][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]*);|[&<>"]/g, (found) =>
    found.length > 1 ? found : escapeHtml(found),
  );
}

const newlines = (text: string): number => text.split('\n').length - 1;

class Writer {
  readonly #report: Report;
  readonly #keepsAll: boolean;

  constructor(report: Report, keepsAll: boolean) {
    this.#report = report;
    this.#keepsAll = keepsAll;
  }

  blocks(tokens: readonly Token[], firstLine: number): string {
    return this.#each(tokens, firstLine, (token, line) => this.#block(token, line));
  }

  #inlines(tokens: readonly Token[] | undefined, firstLine: number): string {
    return this.#each(tokens ?? [], firstLine, (token, line) => this.#inline(token, line));
  }

  /** A token's `raw` is the source it was read from: its newlines are the lines that it takes. */
  #each(tokens: readonly Token[], firstLine: number, write: (token: Token, line: number) => string): string {
    let line = firstLine;
    let html = '';
    for (const token of tokens) {
      html += write(token, line);
      line += newlines(token.raw);
    }
    return html;
  }

  #element(tag: string, line: number, content: string, attributes = ''): string {
    return `<${tag} ${LINE_ATTRIBUTE}="${line}:${line}"${attributes}>${content}</${tag}>`;
  }

  #block(token: Token, line: number): string {
    switch (token.type) {
      case 'space':
      case 'def':
      case 'checkbox':
        return '';
      case 'paragraph':
      case 'text':
        return this.#paragraph(token as Tokens.Paragraph, line);
      case 'formulaBlock':
        return this.#element('p', line, escapeHtml((token as Tokens.Generic).text));
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
        return withLines(token.raw, line);
      default:
        return this.#unknown(token, line);
    }
  }

  #unknown(token: Token, line: number): string {
    this.#report(line, `Ce texte Markdown n'est pas admis (${token.type})`);
    return this.#keepsAll ? escapeHtml(token.raw) : '';
  }

  #paragraph(token: Tokens.Paragraph | Tokens.Text, line: number): string {
    return this.#element('p', line, token.tokens ? this.#inlines(token.tokens, line) : escapeText(token.text));
  }

  #code({ lang, text, raw }: Tokens.Code, line: number): string {
    const language = lang ? ` class="language-${escapeHtml(lang.toLowerCase())}"` : '';
    const fenced = /^ {0,3}(?:`{3}|~{3})/.test(raw) ? line + 1 : line;
    return this.#element('pre', line, this.#element('code', fenced, escapeHtml(text), language));
  }

  #list(list: Tokens.List, line: number): string {
    const items = this.#each(list.items as unknown as Token[], line, (item, itemLine) => {
      const { task, checked, tokens } = item as Tokens.ListItem;
      if (task)
        this.#report(itemLine, this.#keepsAll ? 'Case à cocher devenue un signe (☐ ou ☒)' : 'Les cases à cocher ne sont pas admises');
      const content = this.blocks(tokens, itemLine);
      return this.#element(
        'li',
        itemLine,
        task && this.#keepsAll ? content.replace(/^(?:<p [^>]*>)?/, `$&${checked ? '☒' : '☐'} `) : content,
      );
    });
    return this.#element(list.ordered ? 'ol' : 'ul', line, items, list.ordered && list.start !== 1 ? ` start="${list.start}"` : '');
  }

  #table({ header, rows, align }: Tokens.Table, line: number): string {
    const cell = (tokens: Token[], tag: string, side: string | null | undefined, cellLine: number): string => {
      const content = this.#inlines(tokens, cellLine);
      const isAligned = content !== '' && (side === 'center' || side === 'right');
      return this.#element(tag, cellLine, isAligned ? this.#element('p', cellLine, content, ` class="align-${side}"`) : content);
    };
    const row = (cells: Tokens.TableCell[], tag: string, rowLine: number): string =>
      this.#element('tr', rowLine, cells.map(({ tokens }, column) => cell(tokens, tag, align[column], rowLine)).join(''));
    // After the header comes the line of dashes.
    const body = rows.map((cells, index) => row(cells, 'td', line + 2 + index)).join('');
    return this.#element('table', line, `<thead>${row(header, 'th', line)}</thead>${body && `<tbody>${body}</tbody>`}`);
  }

  #inline(token: Token, line: number): string {
    switch (token.type) {
      case 'text':
        return token.tokens ? this.#inlines(token.tokens, line) : escapeText((token as Tokens.Text).text);
      case 'formula':
        return escapeHtml(token.raw);
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
        if (title) this.#report(line, "Le titre d'un lien n'est pas admis");
        return this.#element('a', line, this.#inlines(token.tokens, line), ` href="${escapeText(href)}"`);
      }
      case 'image':
        return this.#image(token as Tokens.Image, line);
      case 'html':
        return withLines(token.raw, line);
      default:
        return this.#unknown(token, line);
    }
  }

  #image({ href, text, title }: Tokens.Image, line: number): string {
    const caption = title ? ` title="${escapeText(title)}"` : '';
    return `<img ${LINE_ATTRIBUTE}="${line}:${line}" src="${escapeText(href)}" alt="${escapeText(text)}"${caption}>`;
  }
}
