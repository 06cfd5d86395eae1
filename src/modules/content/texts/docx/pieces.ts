/** An element around a piece of text: its tag, and the one attribute that it may have. */
export type Wrap = readonly [tag: string, attribute?: string, value?: string];

/** What stands in a line: text, or an element such as a picture. Its emphasis and its link are around it, the outermost first. */
export interface Piece {
  readonly node: Node | string;
  readonly wraps: readonly Wrap[];
}

/**
 * Pieces as a paragraph. What stands side by side in the same emphasis is in one element, and its text in one node: white space is then read
 * as one, wherever Word has cut it.
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
