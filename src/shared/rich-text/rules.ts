/** Returns a validator for an attribute's value, as ProseMirror's `Node.check()` expects it. */
export function only(name: string, rule: (value: unknown) => boolean): (value: unknown) => void {
  return (value) => {
    if (!rule(value)) throw new RangeError(`Valeur interdite pour l'attribut ${name}`);
  };
}
