import type { Node } from 'prosemirror-model';
import type { TextField } from '../../../src/shared/item-kinds.ts';
import { readHtml } from '../../editor/html.ts';
import { htmlOf, type Item } from './records.ts';

/** An item's texts as editor documents. */
export type Documents = Record<TextField, Node>;

export const documentsOf = (item: Pick<Item, 'contenu' | 'enonce' | 'corrige'>): Documents => ({
  contenu: readHtml(htmlOf(item, 'contenu')),
  corrige: readHtml(htmlOf(item, 'corrige')),
});
