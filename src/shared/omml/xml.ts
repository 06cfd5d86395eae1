/** Returns an element's name without its prefix; prefixes may differ. */
export const nameOf = (node: Node): string => node.nodeName.slice(node.nodeName.indexOf(':') + 1);

export function elementsOf(parent: Node | null | undefined): Element[] {
  const found: Element[] = [];
  for (let node = parent?.firstChild; node; node = node.nextSibling) if (node.nodeType === 1) found.push(node as Element);
  return found;
}

export function child(parent: Node | null | undefined, name: string): Element | undefined {
  return elementsOf(parent).find((element) => nameOf(element) === name);
}

/** Returns the value of a property such as `m:chr`; null if the property is missing, '' if it has no value. */
export function property(properties: Element | undefined, name: string): string | null {
  const element = child(properties, name);
  if (!element) return null;
  for (const attribute of Array.from(element.attributes)) if (nameOf(attribute) === 'val') return attribute.value;
  return '';
}

/** Returns whether an on/off property is on: present without a value means on. */
export function isOn(properties: Element | undefined, name: string): boolean {
  const value = property(properties, name);
  return value !== null && !/^(?:0|off|false)$/.test(value);
}
