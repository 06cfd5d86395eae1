import type { KeptPrepa } from '../../islands/offline/page/pages/kept-prepa.ts';
import type { Copy, StoredDiscipline, StoredItem } from '../../islands/offline/page/store/store.ts';
import { presentDocument } from '../../src/modules/content/items/item.presenter.ts';
import type { KeptMark } from '../../src/shared/offline/offline-copy.ts';
import { asRead } from '../../src/shared/rich-text/as-read.ts';
import type { TestApp } from './app.ts';
import { sql } from './sql.ts';

/** Returns a prepa of a test's site as a learner's device stores it: the rows of the browser's database. */
export async function keptPrepa(
  { databaseUrl, clock }: Pick<TestApp, 'databaseUrl' | 'clock'>,
  prepa: { id: number; nom: string },
  learnerId: string,
): Promise<KeptPrepa> {
  const now = clock.now().getTime();
  const rows = await sql<StoredItem & { discipline_id: number }>(
    databaseUrl,
    `select i.*, coalesce((select json_agg(json_build_object('id', f.id, 'nom', f.nom, 'octets', f.octets) order by f.id) from item_document f where f.item_id = i.id), '[]') as documents
     from item i join discipline d on d.id = i.discipline_id where d.prepa_id = $1
     order by case kind when 'course' then 1 when 'exercise' then 2 else 3 end, numero_page`,
    [prepa.id],
  );
  const items = rows.map(
    ({ id, discipline_id, kind, titre, annee, duree, version, contenu, corrige, documents }): StoredItem => ({
      id,
      kind,
      titre,
      annee,
      duree,
      version,
      pictures: [],
      prepa: prepa.id,
      discipline: discipline_id,
      contenu: asRead(contenu),
      corrige: corrige === null ? null : asRead(corrige),
      documents: documents.map(presentDocument),
    }),
  );
  const disciplines = (
    await sql<{ id: number; nom: string; description: string }>(
      databaseUrl,
      'select id, nom, description from discipline where prepa_id = $1 order by id',
      [prepa.id],
    )
  ).map(
    (row, place): StoredDiscipline => ({
      ...row,
      place,
      image: null,
      prepa: prepa.id,
      items: items.filter(({ discipline }) => discipline === row.id).map(({ id, version }) => ({ id, version })),
    }),
  );
  const marks = await sql<KeptMark & { read: Date; marked: Date | null }>(
    databaseUrl,
    `select r.item_id as item, r.read_at as read, r.finished_at is not null as finished, p.verdict, p.marked_at as marked, coalesce(p.times, 0) as times
     from item_reading r left join practice p on p.user_id = r.user_id and p.item_id = r.item_id where r.user_id = $1`,
    [learnerId],
  );
  const copy: Copy = {
    id: prepa.id,
    nom: prepa.nom,
    format: 1,
    learner: learnerId,
    device: 1,
    end: { said: '', signature: '' },
    endAt: now + 86_400_000,
    publicKey: {},
    disciplines: null,
    pictures: true,
    documents: true,
    tag: '',
    complete: true,
    keptAt: now,
    updatedAt: now,
    bytes: 0,
  };
  return {
    copy,
    disciplines,
    items: new Map(items.map((item) => [item.id, item])),
    marks: new Map(
      marks.map(({ item, read, finished, verdict, marked, times }) => [
        item,
        { item, readAt: read.getTime(), finished, verdict, markedAt: marked?.getTime() ?? null, times },
      ]),
    ),
  };
}
