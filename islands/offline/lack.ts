import type { Missing } from './kept-files.ts';

/** As a clause without a capital letter; none where nothing is missing. */
export function lackOf({ pictures, documents }: Missing): string[] {
  const counted = (count: number, one: string, many: string) => (count === 0 ? [] : [`${count} ${count > 1 ? many : one}`]);
  const lacks = [...counted(pictures, 'image', 'images'), ...counted(documents, 'document', 'documents')];
  return lacks.length === 0 ? [] : [`il manque ${lacks.join(' et ')}`];
}
