/** Words of a choice that depend on its place: such a question keeps the order of its choices. */
const placed =
  /\b(?:aucune?|toutes?|tous|les (?:deux|trois|quatre|cinq)|l'une? et l'autre|(?:choix|réponses?|propositions?) \(?[a-h1-8])\b|(?<![\p{L}\p{N}])\(?[a-h]\)?\s*(?:,|et|ou|ni)\s*\(?[a-h]\)?(?![\p{L}\p{N}])|\b[1-8] et [1-8]\b|^\s*\(?[a-h]\)? seulement/iu;

/** Returns whether the choices of a question may change their order. @param texts of the choices, without markup */
export const mayShuffle = (texts: readonly string[]): boolean => !texts.some((text) => placed.test(text));

/**
 * Returns the items in an order that depends on the seed only: computed anew it is the same. Fisher-Yates with a 32-bit generator
 * (mulberry32), seeded by a hash (FNV-1a) of the seed.
 * @param seed for instance learner, attempt and question
 */
export function shuffled<Item>(items: readonly Item[], seed: string): Item[] {
  const random = generator(hashOf(seed));
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as Item, order[last] as Item];
  }
  return order;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
