import type { Node } from 'prosemirror-model';
import type { TextField } from '../../../src/shared/item-kinds.ts';
import { readHtml } from '../../editor/html.ts';
import { htmlOf, type Item } from './records.ts';

/** An item's texts as editor documents. */
export type Documents = Record<TextField, Node>;

/** Returns the documents of a saved item. The response omits texts that are stored as they were sent. */
export const settledDocuments = (item: Pick<Item, 'contenu' | 'enonce' | 'corrige'>, sent: Documents): Documents => ({
  contenu: (item.enonce ?? item.contenu) === undefined ? sent.contenu : readHtml(htmlOf(item, 'contenu')),
  corrige: item.corrige === undefined ? sent.corrige : readHtml(htmlOf(item, 'corrige')),
});

export const documentsOf = (item: Pick<Item, 'contenu' | 'enonce' | 'corrige'>): Documents => ({
  contenu: readHtml(htmlOf(item, 'contenu')),
  corrige: readHtml(htmlOf(item, 'corrige')),
});
