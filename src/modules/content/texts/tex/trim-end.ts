/** Removes the spaces at the end of an element. */
export function trimEnd(element: Element): void {
  for (let last = element.lastChild; last; last = last.lastChild) {
    if (last.nodeType === 3) {
      const text = (last as Text).data.replace(/ +$/, '');
      if (text !== '') {
        (last as Text).data = text;
        return;
      }
      const parent = last.parentNode as Element;
      last.remove();
      if (parent !== element && parent.childNodes.length === 0) parent.remove();
      trimEnd(element);
      return;
    }
    if ((last as Element).localName === 'br') {
      last.remove();
      trimEnd(element);
      return;
    }
  }
}
