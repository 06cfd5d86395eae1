import type { ItemBody } from '../items/calls.ts';
import type { Documents } from '../items/documents.ts';
import type { ItemFields } from '../items/item-fields.ts';

/** A text as it is sent. */
export interface Sent {
  fields: ItemFields;
  documents: Documents;
  body: ItemBody;
  /** The remarks on its import that stay; undefined: all. */
  remarques: readonly string[] | undefined;
  version: number;
}
