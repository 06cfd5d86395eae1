/** A text as searches compare it: without accents, ligatures written out, in small letters, each run of spaces as one. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll(/[’ʼ]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}
