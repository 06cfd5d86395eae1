import type { Client } from '../sql.ts';

/** The location of each mark in the catalogue; `whole` marks content that needs access, other content is public. */
const places = `
  select m.mark, d.prepa_id, i.discipline_id, i.kind, i.numero_page, position(m.mark in i.titre) = 0 as whole
  from m join item i on position(m.mark in i.titre || ' ' || i.contenu || coalesce(i.corrige, '')) > 0 join discipline d on d.id = i.discipline_id
  union all
  select m.mark, d.prepa_id, i.discipline_id, i.kind, i.numero_page, true
  from m join item_document f on position(m.mark in f.nom) > 0 join item i on i.id = f.item_id join discipline d on d.id = i.discipline_id
  union all
  -- A mark in a picture names its file.
  select m.mark, d.prepa_id, i.discipline_id, i.kind, i.numero_page, true
  from m join item_image s on s.image_name = 'content/' || md5(m.mark) || '.webp' join item i on i.id = s.item_id join discipline d on d.id = i.discipline_id
  union all
  select m.mark, d.prepa_id, d.id, null, null, false from m join discipline d on position(m.mark in d.nom || ' ' || d.description) > 0
  union all
  select m.mark, p.id, null, null, null, false from m join prepa p on position(m.mark in p.nom || ' ' || p.description) > 0`;

const statement = `
  with m as (select unnest($1::text[]) as mark), place as (${places})
  select place.mark from place join prepa p on p.id = place.prepa_id
  where
    -- An access that lasts opens all of the prepa, published or not.
    exists (select from enrolment e where e.prepa_id = p.id and e.user_id = any($2::uuid[]) and e.statut = 'active' and e.date_expiration > now())
    -- Of what is published, the catalogue and the first of each section are everybody's.
    or (p.is_published and (not place.whole or not exists (
      select from item before where before.discipline_id = place.discipline_id and before.kind = place.kind and before.numero_page < place.numero_page)))
    -- An access that has ended, and a payment, keep the name of what they were for.
    or (position(place.mark in p.nom) > 0 and (
      exists (select from enrolment e where e.prepa_id = p.id and e.user_id = any($2::uuid[]))
      or exists (select from payment y where y.prepa_id = p.id and y.user_id = any($2::uuid[]))))
  union
  select m.mark from m join enrolment e on position(m.mark in e.prepa_nom) > 0 where e.user_id = any($2::uuid[])
  union
  select m.mark from m join payment y on position(m.mark in y.prepa_nom) > 0 where y.user_id = any($2::uuid[])
  union
  -- What a learner has been told stays told, whatever becomes of its title.
  select m.mark from m join notification n on position(m.mark in n.message) > 0 where n.user_id = any($2::uuid[])`;

/**
 * Returns the marks that these learners, or a visitor without an account, may read now, according to the database and independent of the
 * application.
 */
export async function readable(client: Client, marks: readonly string[], learners: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ mark: string }>(statement, [marks, learners]);
  return new Set(rows.map(({ mark }) => mark));
}
