import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import type { ItemKind } from '../../../../shared/item-kinds.ts';

/** Most items that one request searches, and the size of their texts in bytes; one larger text is searched alone. */
const perRequest = { items: 60, bytes: 1_500_000 };

/** A published text or a draft, with what a list shows of it. */
export interface Content {
  id: number;
  kind: ItemKind;
  titre: string;
  /** '' if there is none. */
  intitule: string;
  /** Null for a draft. */
  numeroPage: number | null;
  annee: string | null;
  isDraft: boolean;
  /** Version of a published text, revision of a draft. */
  revision: number;
  /** Author of a draft. */
  savedBy: string | null;
  contenu: string;
  corrige: string | null;
}

const size = 'octet_length(contenu) + coalesce(octet_length(corrige), 0)';

/** Returns the next contents of a discipline after an id, in id order, an item before its draft. */
export const nextContents = (em: EntityManager, disciplineId: number, after: number): Promise<Content[]> =>
  readRows(
    em,
    `with sized as (
       select id, ${size} as octets from item where discipline_id = ? and id > ?
       union all select id, ${size} from item_draft where discipline_id = ? and id > ?),
     first as (select id, sum(octets) as octets from sized group by id order by id limit ${perRequest.items}),
     taken as (select id from (select id, sum(octets) over (order by id) as total, row_number() over (order by id) as nth from first) f
               where nth = 1 or total <= ${perRequest.bytes})
     select id, kind, titre, coalesce(intitule, '') as intitule, numero_page, annee::text, false as is_draft, version as revision, null as saved_by, contenu, corrige
     from item where discipline_id = ? and id in (select id from taken)
     union all
     select id, kind, titre, intitule, null, nullif(annee, ''), true, revision, saved_by, contenu, corrige
     from item_draft where discipline_id = ? and id in (select id from taken)
     order by id, is_draft`,
    [disciplineId, after, disciplineId, after, disciplineId, disciplineId],
  );

/** Bases a draft on the version that the same replacement has made of its item. */
export const rebaseDraft = (em: EntityManager, id: number, from: number, to: number): Promise<unknown> =>
  em.fork().execute('update item_draft set version = ? where id = ? and version = ?', [to, id, from]);
