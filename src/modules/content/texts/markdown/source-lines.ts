import { escapeHtml } from '../../../../shared/escapes.ts';

/** What the readers of a file call for each fault; the file is known to whoever passed it. */
export type Report = (line: number, message: string) => void;

/** What a comment becomes, since only elements can carry a line; its content is the attribute `text`. */
export const COMMENT_ELEMENT = 'x-commentaire';
/** Where each element says `first:last`, the lines of its start tag; read and taken away by the reader of the body. */
export const LINE_ATTRIBUTE = 'data-ligne';

// A comment or an instruction, of which a parser keeps nothing, or a tag with its quoted values, inside which `>` ends nothing.
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[!?][^>]*>|<(\/?)([a-zA-Z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'">])*>/g;

/** The same HTML with the lines of the file written on every start tag; parsers keep no positions. */
export function withLines(html: string, firstLine: number): string {
  let line = firstLine;
  let done = 0;
  const advance = (end: number): void => {
    for (; done < end; done += 1) if (html[done] === '\n') line += 1;
  };
  return html.replace(MARKUP, (markup, slash: string | undefined, name: string | undefined, offset: number) => {
    advance(offset);
    const first = line;
    advance(offset + markup.length);
    if (slash) return markup;
    const lines = `${LINE_ATTRIBUTE}="${first}:${line}"`;
    if (name === undefined) return `<${COMMENT_ELEMENT} ${lines} text="${escapeHtml(markup)}"></${COMMENT_ELEMENT}>`;
    return `<${name} ${lines}${markup.slice(1 + name.length)}`;
  });
}
