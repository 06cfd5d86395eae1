/** Refuses an attribute's value the way ProseMirror expects it, for `Node.check()`. */
export function only(name: string, rule: (value: unknown) => boolean): (value: unknown) => void {
  return (value) => {
    if (!rule(value)) throw new RangeError(`Valeur interdite pour l'attribut ${name}`);
  };
}
