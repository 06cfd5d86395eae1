import type { Node } from 'prosemirror-model';
import { checkDocument, type DocumentJson, RichTextError } from '../../../shared/rich-text/document.ts';
import { questionRemarks } from '../items/questions/question-remarks.ts';
import type { Report } from '../texts/markdown/source-lines.ts';
import { recognise } from '../texts/questions/recognise.ts';
import { withFilePlaceholders } from './image-placeholders.ts';
import type { Body } from './strict-body.ts';

/**
 * Returns the texts of an item with their questions recognised; null, with the faults reported, when they cannot be stored. Questions that
 * cannot be asked are warnings.
 */
export function withQuestions(
  contenu: Body,
  corrige: Body | undefined,
  firstLine: number,
  report: Report,
  warn: Report,
): { contenu: DocumentJson; corrige?: DocumentJson } | null {
  const found = recognise(contenu.document, corrige?.document ?? null);
  for (const remark of [...found.remarks, ...questionRemarks(found.contenu)]) warn(firstLine, remark);
  const stray = [...strayBoxes(contenu, found.contenu), ...(corrige ? strayBoxes(corrige, found.corrige) : [])];
  for (const line of stray) report(line, "Les cases à cocher ne sont admises que devant les choix d'une question");
  if (stray.length > 0) return null;
  try {
    for (const document of [found.contenu, found.corrige]) if (document) checkDocument(document);
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    report(firstLine, error.message);
    return null;
  }
  const json = (document: Node): DocumentJson => withFilePlaceholders(document.toJSON());
  return { contenu: json(found.contenu), ...(found.corrige && { corrige: json(found.corrige) }) };
}

/** Returns the lines of the boxes that are in no question. */
function strayBoxes({ document, boxes }: Body, after: Node | null): number[] {
  if (boxes.length === 0) return [];
  const kept = new Set<Node>();
  after?.descendants((node) => {
    kept.add(node);
  });
  const items: Node[] = [];
  document.descendants((node) => {
    if (node.type.name === 'list_item' && /^[☐☒] /.test(node.textContent)) items.push(node);
  });
  return items.flatMap((item, index) => (kept.has(item) ? [boxes[index] ?? boxes[0] ?? 1] : []));
}
