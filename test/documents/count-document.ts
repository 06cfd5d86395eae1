import type { Node } from 'prosemirror-model';
import { type Counts, noCounts } from './counts.ts';

const EMPHASIS = new Set(['strong', 'em', 'underline', 'strike', 'subscript', 'superscript']);
const LISTS = new Set(['bullet_list', 'ordered_list']);

/** Counts the content of a document of the schema. */
export function countDocument(doc: Node): Counts {
  const counts = noCounts();
  const visit = (node: Node, depth: number): void => {
    const name = node.type.name;
    if (name === 'heading') counts.headings += 1;
    else if (name === 'list_item') counts.listItems[depth] = (counts.listItems[depth] ?? 0) + 1;
    else if (name === 'table_cell' || name === 'table_header') counts.cells += 1;
    else if (name === 'image' || name === 'figure') counts.images += 1;
    else if (name === 'formula' || name === 'formula_block') counts.equations += 1;
    if (node.isText) counts.text += (node.text ?? '').replaceAll(/\s/g, '').length;
    if (node.isText && node.marks.some((mark) => EMPHASIS.has(mark.type.name)))
      counts.emphasis += (node.text ?? '').replaceAll(/\s/g, '').length;
    if (node.isTextblock) counts.links += linksOf(node);
    // Lists in a table cell are counted without the lists around the table.
    const inner = LISTS.has(name) ? depth + 1 : name === 'table_cell' || name === 'table_header' ? 0 : depth;
    node.forEach((child) => {
      visit(child, inner);
    });
  };
  visit(doc, 0);
  return counts;
}

function linksOf(block: Node): number {
  let links = 0;
  let last: string | null = null;
  block.forEach((child) => {
    const href = (child.marks.find((mark) => mark.type.name === 'link')?.attrs.href as string | undefined) ?? null;
    if (href !== null && href !== last) links += 1;
    last = href;
  });
  return links;
}
