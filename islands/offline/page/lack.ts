import type { Missing } from './kept-files.ts';

/** Returns the number of missing files as a clause that begins in lower case; an empty array when nothing is missing. */
export function lackOf({ pictures, documents }: Missing): string[] {
  const counted = (count: number, one: string, many: string) => (count === 0 ? [] : [`${count} ${count > 1 ? many : one}`]);
  const lacks = [...counted(pictures, 'image', 'images'), ...counted(documents, 'document', 'documents')];
  return lacks.length === 0 ? [] : [`il manque ${lacks.join(' et ')}`];
}
