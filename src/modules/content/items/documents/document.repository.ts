import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';

export interface DocumentRow {
  id: number;
  nom: string;
  /** Its name in the store of documents. */
  file: string;
  /** Size in bytes. */
  octets: number;
}

/** The documents of an item, in the order in which they were attached. */
export const documentsOf = (em: EntityManager, itemId: number): Promise<DocumentRow[]> =>
  em.execute<DocumentRow[]>('select id, nom, file, octets from item_document where item_id = ? order by id', [itemId]);

const documentById = namedStatement<DocumentRow & { prepa_id: number; is_published: boolean; numero_page: number }>({
  name: 'content.document',
  text: `select f.id, f.nom, f.file, f.octets, i.numero_page, p.id as prepa_id, p.is_published
         from item_document f join item i on i.id = f.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where f.id = $1`,
});

/** A document with what decides who may read its item. */
export const findDocument = async (em: EntityManager, id: number) => (await documentById(em, [id]))[0] ?? null;
