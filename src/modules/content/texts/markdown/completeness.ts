import type { Node as DocumentNode } from 'prosemirror-model';

/** Returns a French message when the document has lost part of the tree from which it was read; otherwise null. */
export function whatIsLost(root: Element, doc: DocumentNode): string | null {
  let text = '';
  const counts = { img: 0, '[data-latex]': 0, hr: 0, table: 0, 'ul, ol': 0, li: 0, 'td, th': 0, tr: 0 };
  doc.descendants((node) => {
    const name = node.type.name;
    if (node.isText) text += node.text;
    else if (name === 'image' || name === 'figure') counts.img += 1;
    else if (name === 'formula' || name === 'formula_block') counts['[data-latex]'] += 1;
    else if (name === 'horizontal_rule') counts.hr += 1;
    else if (name === 'table') counts.table += 1;
    else if (name === 'table_row') counts.tr += 1;
    else if (name === 'bullet_list' || name === 'ordered_list') counts['ul, ol'] += 1;
    else if (name === 'list_item') counts.li += 1;
    else if (name === 'table_cell' || name === 'table_header') counts['td, th'] += 1;
  });
  const squeeze = (value: string): string => value.replaceAll(/\s+/g, '');
  if (squeeze(text) !== squeeze(wordsOf(root))) return "Une partie du texte serait perdue : un élément n'est pas à sa place";
  for (const [selector, count] of Object.entries(counts)) {
    const found = root.querySelectorAll(selector).length;
    if (found !== count) return `Un élément n'est pas à sa place : ${found} dans le fichier, ${count} dans le document (${selector})`;
  }
  return null;
}

/** Returns the text of a tree without video cards, which are generated from their address. */
function wordsOf(root: Element): string {
  if (!root.querySelector('div.video')) return root.textContent ?? '';
  const copy = root.cloneNode(true) as Element;
  for (const card of [...copy.querySelectorAll('div.video')]) card.remove();
  return copy.textContent ?? '';
}
