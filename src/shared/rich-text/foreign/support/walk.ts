/**
 * Returns the next node below `root` in document order; null at the end. Without recursion, since the source may be nested to any depth.
 * @param inside whether to visit the node's own children next
 */
export function nodeAfter(node: Node, root: Node, inside = true): Node | null {
  if (inside && node.firstChild) return node.firstChild;
  for (let from: Node | null = node; from && from !== root; from = from.parentNode) if (from.nextSibling) return from.nextSibling;
  return null;
}

/** Returns the next element below `root` in document order. */
export function elementAfter(element: Element, root: Element): Element | null {
  let next = nodeAfter(element, root);
  while (next && next.nodeType !== 1) next = nodeAfter(next, root);
  return next as Element | null;
}
