import { escapeHtml } from '../../../../shared/escapes.ts';

/** Called by the readers of a file for each fault. The caller knows the file. */
export type Report = (line: number, message: string) => void;

/** Element that replaces a comment, since only elements can carry a line number. Its content is in the attribute `text`. */
export const COMMENT_ELEMENT = 'x-commentaire';
/** Attribute of each element with `first:last`, the lines of its start tag. The reader of the body removes it. */
export const LINE_ATTRIBUTE = 'data-ligne';

// A comment or an instruction, which parsers drop, or a tag; a `>` within its quoted values does not end the tag.
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[!?][^>]*>|<(\/?)([a-zA-Z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'">])*>/g;

/** Returns the HTML with the file's line numbers on every start tag, since parsers do not record positions. */
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
