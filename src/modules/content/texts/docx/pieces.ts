/** An element around a piece of text: its tag, and at most one attribute. */
export type Wrap = readonly [tag: string, attribute?: string, value?: string];

/**
 * An inline part of a paragraph: text, or an element such as a picture. `wraps` are the emphasis and link elements around it,
 * outermost first.
 */
export interface Piece {
  readonly node: Node | string;
  readonly wraps: readonly Wrap[];
}

/**
 * Builds a paragraph from pieces. Adjacent pieces with the same emphasis share one element, and adjacent texts one node.
 * Word splits text at arbitrary positions; joining the pieces keeps white space correct.
 */
export function paragraphOf(document: Document, pieces: readonly Piece[]): Element {
  const paragraph = document.createElement('p');
  let open: { name: string; element: Element }[] = [];
  for (const { node, wraps } of pieces) {
    if (node === '') continue;
    const names = wraps.map((wrap) => wrap.join(' '));
    const differs = names.findIndex((name, at) => open[at]?.name !== name);
    open = open.slice(0, differs === -1 ? names.length : differs);
    for (const [tag, attribute, value = ''] of wraps.slice(open.length)) {
      const element = document.createElement(tag);
      if (attribute) element.setAttribute(attribute, value);
      (open.at(-1)?.element ?? paragraph).append(element);
      open.push({ name: names[open.length] ?? '', element });
    }
    const parent = open.at(-1)?.element ?? paragraph;
    if (typeof node === 'string' && parent.lastChild?.nodeType === parent.TEXT_NODE) parent.lastChild.textContent += node;
    else parent.append(node);
  }
  return paragraph;
}
