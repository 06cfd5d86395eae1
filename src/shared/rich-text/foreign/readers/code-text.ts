import { nodeAfter } from '../support/walk.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters do not survive in HTML
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f]/g;
const BREAKS = new Set(['br', 'div', 'p', 'li', 'tr']);
const LINE_NUMBERS = /(?:^|\s)(?:line-?numbers?(?:-rows)?|lineno|linenos|gutter|rouge-gutter|ql-ui)(?:\s|$)/i;

/** Returns the text of a code block, whose lines may be elements; line numbers are left out. */
export function codeText(root: Element): string {
  let text = '';
  let node: Node | null = root.firstChild;
  while (node) {
    let inside = true;
    if (node.nodeType === 3) text += (node as Text).data;
    else if (node.nodeType === 1) {
      const element = node as Element;
      inside = !LINE_NUMBERS.test(element.getAttribute('class') ?? '') && element.localName !== 'button';
      if (inside && BREAKS.has(element.localName) && text !== '' && !text.endsWith('\n')) text += '\n';
      else if (element.localName === 'br') text += '\n';
    }
    node = nodeAfter(node, root, inside);
  }
  return text.replace(/\r\n?/g, '\n').replace(UNWRITABLE, '').replaceAll('\u00a0', ' ').toWellFormed().replace(/\n$/, '');
}

/** Returns the language from a highlighter's classes on the block or its `code`; null if there is none. */
export function codeLanguage(pre: Element): string | null {
  const code = pre.firstElementChild;
  const classes = [pre, code, pre.parentElement].map((element) => element?.getAttribute('class') ?? '').join(' ');
  const named = /(?:^|\s)(?:language|lang|highlight-source|brush:?\s?)-?([a-z0-9+#-]{1,20})(?=[\s;]|$)/i.exec(classes)?.[1]?.toLowerCase();
  const attribute = (pre.getAttribute('data-language') ?? pre.getAttribute('lang') ?? '').toLowerCase();
  const language = named ?? (/^[a-z0-9+#-]{1,20}$/.test(attribute) ? attribute : undefined);
  return language === undefined || /^(?:plain|none|text|plaintext|true|false)$/.test(language) ? null : language;
}
