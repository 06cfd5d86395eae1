/**
 * What follows a node below `root` in the order of the text; null at the end. Without recursion, since the depth is anybody's choice.
 * @param inside whether what the node itself holds comes next
 */
export function nodeAfter(node: Node, root: Node, inside = true): Node | null {
  if (inside && node.firstChild) return node.firstChild;
  for (let from: Node | null = node; from && from !== root; from = from.parentNode) if (from.nextSibling) return from.nextSibling;
  return null;
}

/** The same among elements. */
export function elementAfter(element: Element, root: Element): Element | null {
  let next = nodeAfter(element, root);
  while (next && next.nodeType !== 1) next = nodeAfter(next, root);
  return next as Element | null;
}
