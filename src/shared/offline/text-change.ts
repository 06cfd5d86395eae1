import type { KeptItem, TextChange, TextsAnswer } from './offline-copy.ts';

/** Returns the change from one text to another, without their common beginning and end. */
export function changeOf(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length);
  let debut = 0;
  while (debut < most && before[debut] === after[debut]) debut += 1;
  let fin = 0;
  while (fin < most - debut && before.at(-1 - fin) === after.at(-1 - fin)) fin += 1;
  return { debut, fin, texte: after.slice(debut, after.length - fin), somme: sumOf(after) };
}

/** Applies a change; null when `before` is not the text that the change was made from. */
function changed(before: string, { debut, fin, texte, somme }: TextChange): string | null {
  const after = before.slice(0, debut) + texte + before.slice(before.length - fin);
  return sumOf(after) === somme ? after : null;
}

/** Returns a checksum that detects accidental differences; no protection against forgery. */
function sumOf(text: string): number {
  let sum = text.length;
  for (let index = 0; index < text.length; index += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0;
  return sum;
}

/** Returns the items of a response, with changes applied to the held texts. Items whose checksum does not match are left out, to be fetched again. */
export function wholeItems(
  { items, changes = [] }: Pick<TextsAnswer, 'items' | 'changes'>,
  held: ReadonlyMap<number, KeptItem>,
): KeptItem[] {
  const restored = changes.flatMap((change) => {
    const before = held.get(change.id);
    if (!before) return [];
    const contenu = changed(before.contenu, change.contenu);
    const corrige = change.corrige && changed(before.corrige ?? '', change.corrige);
    return contenu === null || (corrige === null && change.corrige !== null) ? [] : [{ ...change, contenu, corrige }];
  });
  return [...items, ...restored];
}
