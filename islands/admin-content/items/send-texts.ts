import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { differenceOf } from '../../../src/shared/rich-text/difference.ts';
import { isEmpty } from '../../../src/shared/rich-text/emptiness.ts';
import type { Answer } from '../../runtime/post.ts';
import type { DocumentJson, ItemBody } from './calls.ts';
import type { Documents } from './documents.ts';
import { textsOf } from './texts.ts';

/** The texts that the server has, by a version of the item or a revision of its draft. */
export interface Base {
  documents: Documents;
  of: { version: number } | { revision: number };
}

interface TextsToSend {
  kind: ItemKind;
  /** The form with its whole texts. */
  body: ItemBody;
  /** The documents of `body`. */
  documents: Documents;
  /** Null when the server's texts are not known: then the whole texts are sent. */
  base: Base | null;
}

/**
 * Sends a form with what changed in its texts since the base. Sends the whole texts where that is shorter, and when the server has another
 * base.
 */
export async function sendTexts<Body>(
  { kind, body, documents, base }: TextsToSend,
  send: (body: ItemBody) => Promise<Answer<Body> | null>,
): Promise<Answer<Body> | null> {
  const changes: Record<string, DocumentJson> = {};
  for (const { field, name } of textsOf(kind)) {
    const change = base && (await changeOf(base, documents, { field, whole: body[name] }));
    if (change) changes[name] = change;
  }
  if (Object.keys(changes).length === 0) return send(body);
  const answer = await send({ ...body, ...changes });
  const needsWhole = answer?.status === 409 && 'texteEntier' in answer.body;
  return needsWhole ? send(body) : answer;
}

/** Returns null where the whole text is shorter, or where the browser cannot compute its fingerprint: without HTTPS. */
async function changeOf(
  { documents: stored, of }: Base,
  documents: Documents,
  { field, whole }: { field: keyof Documents; whole: ItemBody[string] },
): Promise<DocumentJson | null> {
  if (!whole || isEmpty(stored[field]) || !globalThis.crypto?.subtle) return null;
  const { from, to, blocks } = differenceOf(stored[field], documents[field]);
  const text = JSON.stringify(whole);
  if (2 * JSON.stringify(blocks).length > text.length) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const empreinte = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { type: 'difference', ...of, de: from, a: to, blocs: blocks, empreinte };
}
