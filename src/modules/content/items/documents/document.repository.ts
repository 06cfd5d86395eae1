import type { EntityManager } from '@mikro-orm/postgresql';
import type { StoredFiles } from '../../../../platform/backup/backup-subject.ts';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { readRows } from '../../../../platform/database/rows.ts';
import { type AttachedDocument, openInTrial, type ReadableItem, shownToLearners } from '../item.repository.ts';

export interface DocumentRow extends AttachedDocument {
  /** Name of the file in the document store. */
  file: string;
}

export const storedDocuments: StoredFiles = {
  folder: 'documents',
  query: 'select distinct file as name from item_document order by name',
  filesOf: (name) => [name],
};

/** Returns the documents of an item, in the order in which they were attached. */
export const documentsOf = (em: EntityManager, itemId: number): Promise<DocumentRow[]> =>
  readRows(em, 'select id, nom, file, octets from item_document where item_id = ? order by id', [itemId]);

const documentById = namedStatement<DocumentRow & ReadableItem>({
  name: 'content.document',
  text: `select f.id, f.nom, f.file, f.octets, p.id as prepa_id, p.is_published, ${openInTrial('i')} as is_open, ${shownToLearners('i')} as is_shown
         from item_document f join item i on i.id = f.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where f.id = $1`,
});

/** Returns a document with the fields that decide who may read its item; null when it does not exist. */
export const findDocument = async (em: EntityManager, id: number) => (await documentById(em, [id]))[0] ?? null;
