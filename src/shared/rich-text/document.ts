import type { Node } from 'prosemirror-model';
import { isWritable, MAX_DEPTH, MAX_DOCUMENT_SIZE } from './bounds.ts';
import { richTextSchema } from './schema.ts';

/** Why a document was refused; the message is in French and safe to show. */
export class RichTextError extends Error {
  override name = 'RichTextError';
}

export type DocumentJson = { readonly type: string; readonly [key: string]: unknown };

const BROKEN = 'Le texte contient un élément inconnu, mal placé, ou dont une valeur est interdite.';

/**
 * Returns the document in `json`, checked against the schema and the limits in bounds.ts.
 * @throws {RichTextError} when `json` is no document, is too large or is nested too deeply
 */
export function documentFromJson(json: unknown): Node {
  // Checked first, without recursion: the recursive functions below could overflow the stack.
  refuseDeepNesting(json);
  let doc: Node;
  try {
    doc = richTextSchema.nodeFromJSON(json);
  } catch {
    throw new RichTextError(BROKEN);
  }
  checkDocument(doc);
  return doc;
}

/** @throws {RichTextError} when the document breaks the schema or a limit */
export function checkDocument(doc: Node): void {
  if (doc.type !== richTextSchema.topNodeType) throw new RichTextError("Le texte n'est pas un document entier.");
  if (doc.nodeSize > MAX_DOCUMENT_SIZE) throw new RichTextError('Le texte est trop long.');
  try {
    doc.check();
  } catch {
    throw new RichTextError(BROKEN);
  }
  let depth = 0;
  const visit = (node: Node): void => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new RichTextError('Le texte a trop de niveaux imbriqués.');
    if (node.isText && !isWritable(node.text ?? '')) throw new RichTextError('Le texte contient un caractère interdit.');
    node.forEach(visit);
    depth -= 1;
  };
  visit(doc);
}

function refuseDeepNesting(json: unknown): void {
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new RichTextError('Le texte a trop de niveaux imbriqués.');
    level = level.flatMap((node) => {
      const content = typeof node === 'object' && node !== null && 'content' in node ? node.content : undefined;
      return Array.isArray(content) ? content : [];
    });
  }
}
