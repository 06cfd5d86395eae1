import type { Node } from 'prosemirror-model';
import type { ImportedDocument } from '../../src/modules/content/texts/worker/import-document.ts';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { writtenLabel } from '../../src/shared/rich-text/list-labels.ts';

/** What a random source holds, as its generator has noted it. */
export interface Written {
  /** Words, each different. */
  readonly words: string[];
  /** Words that nobody sees: deleted or hidden text, scripts. */
  readonly absent: string[];
  /** LaTeX of the formulas. */
  readonly formulas: string[];
  /** The word of each cell. */
  readonly cells: string[];
  /** The first word of each list item, and its label. */
  readonly labels: [word: string, label: string][];
  pictures: number;
}

/** Returns the differences between what was written and what an import has kept or named, in English. */
export function differences(written: Written, { contenu, corrige, remarques, titre }: ImportedDocument): string[] {
  const found = { text: titre ?? '', formulas: [] as string[], cells: [] as string[], labels: new Map<string, string>(), pictures: 0 };
  for (const json of [contenu, corrige]) if (json) collect(documentFromJson(json), found);
  const named = remarques.join('\n');
  const faults: string[] = [];
  for (const word of written.words) if (!found.text.includes(word) && !named.includes(word)) faults.push(`lost: ${word}`);
  for (const word of written.absent) if (found.text.includes(word)) faults.push(`shown: ${word}`);
  const left = [...found.formulas];
  for (const latex of written.formulas) {
    const at = left.indexOf(latex);
    if (at === -1) faults.push(`formula: ${latex}`);
    else left.splice(at, 1);
  }
  if (left.length > 0) faults.push(`other formulas: ${left}`);
  for (const word of written.cells) if (!found.cells.some((cell) => cell.trim() === word)) faults.push(`cell: ${word}`);
  if (found.cells.length !== written.cells.length) faults.push(`${found.cells.length} cells of ${written.cells.length}`);
  for (const [word, label] of written.labels)
    if (found.labels.get(word) !== label) faults.push(`label: ${word} ${label}, not ${found.labels.get(word)}`);
  if (found.pictures !== written.pictures) faults.push(`${found.pictures} pictures of ${written.pictures}`);
  return faults;
}

interface Found {
  text: string;
  formulas: string[];
  cells: string[];
  labels: Map<string, string>;
  pictures: number;
}

function collect(document: Node, found: Found): void {
  found.text += `\n${document.textBetween(0, document.content.size, '\n')}`;
  document.descendants((node) => {
    const { latex } = node.attrs;
    if (typeof latex === 'string') found.formulas.push(latex);
    if (/^table_(?:cell|header)$/.test(node.type.name)) found.cells.push(node.textContent);
    if (/image|figure/.test(node.type.name) && typeof node.attrs.src === 'string') found.pictures += 1;
    if (node.type.name === 'ordered_list' || node.type.name === 'bullet_list')
      node.forEach((item, _, index) => {
        const word = /mot\d+\D*?z/.exec(item.firstChild?.textContent ?? '')?.[0] ?? '';
        found.labels.set(word, node.type.name === 'bullet_list' ? '•' : writtenLabel(node.attrs.label, node.attrs.order + index));
      });
  });
}
