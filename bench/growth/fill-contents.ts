import type { Size } from './sizes.ts';

/** Data of authors and readers beside the items: earlier versions of edited items, pictures, documents, error reports. */
export const besideItems = ({ learners, items, prepas }: Size): string[] => [
  // Both versions of an edited item are kept.
  `insert into item_version (item_id, version, titre, annee, contenu, corrige, saved_at, saved_by)
   select i.id, v, i.titre, i.annee, i.contenu, i.corrige, i.created_at + interval '1 hour' * v, 'enseignant'
   from item i, generate_series(1, 2) v where i.key like 'growth-%' and i.version = 2 order by i.id, v`,
  `insert into content_image (name, uploaded_at, octets)
   select md5('picture ' || id) || '.webp', created_at, 20000 from item where key like 'growth-%1' order by id`,
  `insert into item_image (item_id, image_name) select id, md5('picture ' || id) || '.webp' from item where key like 'growth-%1' order by id`,
  `insert into item_document (item_id, nom, file, octets, created_at)
   select id, 'Fiche.pdf', md5('document ' || id) || '.pdf', 200000, created_at from item where key like 'growth-%2' order by id`,
  // Drafts: changes of one item in fifty, some of them planned, and a new lesson in each discipline.
  `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, corrige, version, publish_at, saved_at, saved_by)
   select id, discipline_id, kind, titre, coalesce(annee::text, ''), coalesce(duree::text, ''), '', contenu, corrige, version,
          case when id % 3 = 0 then now() + interval '1 hour' * (1 + id % 700) end, updated_at, 'enseignant'
   from item where key like 'growth-%' and id % 50 = 0 order by id`,
  `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, saved_at, saved_by)
   select nextval('item_id_seq'), first.discipline_id, 'course', 'Chapitre à venir', '', '', '', first.contenu, first.updated_at, 'enseignant'
   from (select distinct on (discipline_id) discipline_id, contenu, updated_at from item
         where key like 'growth-%' and kind = 'course' order by discipline_id, numero_page) first`,
  `insert into item_draft_image (draft_id, image_name)
   select d.id, x.image_name from item_draft d join item_image x on x.item_id = d.id order by d.id on conflict do nothing`,
  // Most reports are closed. In every database, enough are open to fill a page of the list.
  `insert into item_report (item_id, user_id, kind, place, message, created_at, closed_at, answer)
   select i.id, pg_temp.uuid_of(11 + floor((${learners} - 10) * pg_temp.dice(g.n, 51))::int), 'texte', 'Introduction', 'Il manque un mot.',
          now() - interval '1 hour' * (closing.reports + 100 - g.n), case when is_closed then now() - interval '30 minutes' * (closing.reports + 100 - g.n) end,
          case when is_closed then 'Corrigé, merci.' end
   from (select ${Math.round(200 + learners / 50)} as reports) closing, generate_series(1, closing.reports) g(n)
        join own_item i on i.n = floor(${prepas} * pg_temp.dice(g.n, 52))::int and i.place = 1 + floor(${Math.round(items / prepas)} * pg_temp.dice(g.n, 53))::int,
        lateral (select g.n % 2 = 0 and g.n <= 200 or g.n > 200 and g.n % 20 > 0 as is_closed) c
   order by g.n`,
];
