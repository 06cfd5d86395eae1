import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { StoredImage } from '../../../platform/files/images.ts';
import type { FileStore } from '../../../platform/files/storage.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { type QuestionKey, withoutKeys } from '../../../shared/questions/question-keys.ts';
import { type DocumentJson, documentFromJson } from '../../../shared/rich-text/document.ts';
import { storeCover } from '../../catalogue/index.ts';
import { recordChange, terminal } from '../../identity/index.ts';
import { emitPublishedItems, type PublishedContent, readableSql } from '../items/content.events.ts';
import { imageNameOf, keepContentImage } from '../items/images/image.service.ts';
import { indexItems } from '../items/item-words.ts';
import { startDiagnostics } from '../items/questions/diagnostic.repository.ts';
import { storeQuestions } from '../items/questions/question.repository.ts';
import { idsByContent, withQuestionIds } from '../items/questions/question-ids.ts';
import { canonicalHtml } from '../texts/html/canonical.ts';
import { resolveImages } from './image-placeholders.ts';
import type { ItemPlan, SeedPlan } from './plan.ts';

export interface SeedReport {
  prepas: number;
  disciplines: number;
  items: number;
  /** Rows that the run added or changed; 0 when the content was already up to date. */
  changed: number;
}

interface SeedTools {
  store: FileStore;
  /** Called after each prepared text. */
  progress?: (done: number, total: number) => void;
}

/**
 * Loads a checked plan with set-based statements in one transaction, so that a load is never partial.
 * Unchanged rows and their versions are left alone. Enrolled learners are notified of new items, as for items written on the screen.
 */
export async function loadSeed(
  em: EntityManager,
  context: UseCaseContext,
  plan: SeedPlan,
  { store, progress }: SeedTools,
): Promise<SeedReport> {
  const rows = await prepareRows(plan, (bytes) => keepContentImage(em, { clock: context.clock, files: store }, bytes), { store, progress });
  const now = context.clock.now().toISOString();
  return transact(em, context, async (tx) => {
    const run = async (statement: string, data: unknown[]): Promise<number> =>
      (await tx.execute<{ id: number }[]>(statement, [JSON.stringify(data), now])).length;
    const items = JSON.stringify(rows.items);
    const around = (await run(upsertPrepas, rows.prepas)) + (await run(upsertDisciplines, rows.disciplines));
    await tx.execute(lockItems, [JSON.stringify(rows.disciplines)]);
    await tx.execute(keepEditedItems, [items]);
    const published = await readRows<PublishedContent>(tx, firstTexts, [items]);
    const changed = around + (await run(upsertItems, rows.items));
    const stored = await readRows<{ id: number; keys: QuestionKey[] }>(tx, storedKeys, [items]);
    await storeQuestions(tx, stored);
    await indexItems(tx);
    await tx.execute(renumberOthers, [items]);
    const diagnostics = await startDiagnostics(tx, JSON.stringify(rows.disciplines.filter(({ has_diagnostic }) => has_diagnostic)));
    await tx.execute(referToImages, [items]);
    await emitPublishedItems(tx, context, published);
    const report = {
      prepas: rows.prepas.length,
      disciplines: rows.disciplines.length,
      items: rows.items.length,
      changed: changed + diagnostics,
    };
    if (report.changed > 0)
      await recordChange(tx, context, terminal, {
        action: 'loaded',
        subject: 'content',
        label: `${report.prepas} préparation(s)`,
        after: report,
      });
    context.log.info(report, 'content loaded');
    return report;
  });
}

type KeepImage = (bytes: Buffer) => Promise<StoredImage>;

async function prepareRows(plan: SeedPlan, keepImage: KeepImage, { store, progress }: SeedTools) {
  const cover = async (path: string | undefined) => (path ? storeCover(store, await readFile(path)) : null);
  const total = plan.prepas.flatMap((prepa) => prepa.disciplines.flatMap((discipline) => discipline.items)).length;
  let done = 0;
  const prepas = [];
  const disciplines = [];
  const items = [];
  for (const prepa of plan.prepas) {
    const { key, nom, prix, description, isPublished } = prepa;
    prepas.push({ key, nom, prix, description, is_published: isPublished, image: await cover(prepa.image) });
    for (const discipline of prepa.disciplines) {
      const { key: disciplineKey, nom, description, hasDiagnostic } = discipline;
      disciplines.push({
        prepa_key: key,
        key: disciplineKey,
        nom,
        description,
        image: await cover(discipline.image),
        has_diagnostic: hasDiagnostic,
      });
      for (const item of discipline.items) {
        items.push({ prepa_key: key, discipline_key: disciplineKey, ...(await prepareItem(item, `${key}/${disciplineKey}`, keepImage)) });
        done += 1;
        progress?.(done, total);
      }
    }
  }
  return { prepas, disciplines, items };
}

async function prepareItem(item: ItemPlan, scope: string, keepImage: KeepImage) {
  const images = new Map<string, StoredImage>();
  for (const path of item.images) images.set(basename(path), await keepImage(await readFile(path)));
  for (const [name, bytes] of item.embedded) images.set(name, await keepImage(bytes));
  const document = (json: DocumentJson) => documentFromJson(resolveImages(json, images, item.embedded));
  const contenu = withQuestionIds(document(item.contenu), new Set(), idsByContent(`${scope}/${item.kind}/${item.key}`));
  const { html, keys } = withoutKeys(canonicalHtml(contenu));
  return {
    kind: item.kind,
    key: item.key,
    titre: item.titre,
    intitule: item.intitule,
    numero_page: item.numeroPage,
    annee: item.annee ?? null,
    duree: item.duree ?? null,
    bareme: item.bareme ?? null,
    contenu: html,
    corrige: item.corrige ? canonicalHtml(document(item.corrige)) : null,
    keys,
    images: [...new Set([...images.values()].map(({ src }) => imageNameOf(src)))],
  };
}

const upsertPrepas = `
  insert into prepa as old (key, nom, prix, description, is_published, image, created_at, updated_at)
  select r.key, r.nom, r.prix, r.description, r.is_published, r.image, at, at
  from (select ?::jsonb as data, ?::timestamptz as at) input,
       jsonb_to_recordset(input.data) as r(key text, nom text, prix int, description text, is_published boolean, image text)
  on conflict (key) do update set
    nom = excluded.nom, prix = excluded.prix, description = excluded.description, is_published = excluded.is_published,
    image = excluded.image, updated_at = excluded.updated_at, version = old.version + 1
  where (old.nom, old.prix, old.description, old.is_published, old.image)
        is distinct from (excluded.nom, excluded.prix, excluded.description, excluded.is_published, excluded.image)
  returning id`;

const upsertDisciplines = `
  insert into discipline as old (prepa_id, key, nom, description, image, created_at, updated_at)
  select p.id, r.key, r.nom, r.description, r.image, at, at
  from (select ?::jsonb as data, ?::timestamptz as at) input,
       jsonb_to_recordset(input.data) as r(prepa_key text, key text, nom text, description text, image text)
       join prepa p on p.key = r.prepa_key
  on conflict (prepa_id, key) do update set
    nom = excluded.nom, description = excluded.description, image = excluded.image, updated_at = excluded.updated_at, version = old.version + 1
  where (old.nom, old.description, old.image) is distinct from (excluded.nom, excluded.description, excluded.image)
  returning id`;

const upsertItems = `
  insert into item as old (discipline_id, kind, key, titre, intitule, numero_page, annee, duree, bareme, contenu, corrige, keys, created_at, updated_at)
  select d.id, r.kind, r.key, r.titre, r.intitule, r.numero_page, r.annee, r.duree, r.bareme, r.contenu, r.corrige, r.keys, at, at
  from (select ?::jsonb as data, ?::timestamptz as at) input,
       jsonb_to_recordset(input.data) as r(prepa_key text, discipline_key text, kind text, key text, titre text, intitule text, numero_page int, annee int, duree int, bareme jsonb, contenu text, corrige text, keys jsonb)
       join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.discipline_key
  on conflict (discipline_id, kind, key) do update set
    titre = excluded.titre, intitule = excluded.intitule, numero_page = excluded.numero_page, annee = excluded.annee, duree = excluded.duree, bareme = excluded.bareme, contenu = excluded.contenu, corrige = excluded.corrige, keys = excluded.keys,
    updated_at = excluded.updated_at, version = old.version + 1
  where (old.titre, old.intitule, old.numero_page, old.annee, old.duree, old.bareme, old.contenu, old.corrige, old.keys)
        is distinct from (excluded.titre, excluded.intitule, excluded.numero_page, excluded.annee, excluded.duree, excluded.bareme, excluded.contenu, excluded.corrige, excluded.keys)
  returning id`;

/**
 * Locks all items of the disciplines. Disciplines are locked before items, as in the editor, and items in id order, as in
 * `keepReadings`.
 */
const lockItems = `
  select i.id
  from jsonb_to_recordset(?::jsonb) as r(prepa_key text, key text)
       join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.key join item i on i.discipline_id = d.id
  order by i.id for update of i`;

/** Counts, by prepa, the items that learners are about to read for the first time. The rule is that of `emitPublishedItem`. */
const firstTexts = `
  select p.id as prepa_id, p.nom as prepa_nom, count(*)::int as items
  from jsonb_to_recordset(?::jsonb) as r(prepa_key text, discipline_key text, kind text, key text, contenu text, keys jsonb)
       join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.discipline_key
       left join item i on i.discipline_id = d.id and i.kind = r.kind and i.key = r.key
  where ${readableSql('r.kind', 'r')} and (i.id is null
        or not ${readableSql('i.kind', 'i')} and not exists (select from item_version v where v.item_id = i.id and ${readableSql('i.kind', 'v')}))
  group by p.id order by p.id`;

/** Keeps texts saved on the screen as a version before the folder's text replaces them. */
const keepEditedItems = `
  insert into item_version (item_id, version, titre, intitule, annee, duree, bareme, contenu, corrige, keys, saved_at, saved_by)
  select i.id, i.version, i.titre, i.intitule, i.annee, i.duree, i.bareme, i.contenu, i.corrige, i.keys, i.updated_at, null
  from jsonb_to_recordset(?::jsonb) as r(prepa_key text, discipline_key text, kind text, key text, titre text, intitule text, annee int, duree int, bareme jsonb, contenu text, corrige text, keys jsonb)
       join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.discipline_key
       join item i on i.discipline_id = d.id and i.kind = r.kind and i.key = r.key
  where (i.titre, i.intitule, i.annee, i.duree, i.bareme, i.contenu, i.corrige, i.keys)
        is distinct from (r.titre, r.intitule, r.annee, r.duree, r.bareme, r.contenu, r.corrige, r.keys)
        and exists (select from item_version v where v.item_id = i.id)
  on conflict (item_id, version) do nothing`;

/** Returns the items with questions, or with rows of former ones. */
const storedKeys = `
  select i.id, i.keys
  from jsonb_to_recordset(?::jsonb) as r(prepa_key text, discipline_key text, kind text, key text)
       join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.discipline_key
       join item i on i.discipline_id = d.id and i.kind = r.kind and i.key = r.key
  where i.keys <> '[]' or exists (select from question q where q.item_id = i.id)`;

const referToImages = `
  insert into item_image (item_id, image_name)
  select i.id, shown.name
  from jsonb_to_recordset(?::jsonb) as r(prepa_key text, discipline_key text, kind text, key text, images text[])
       join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.discipline_key
       join item i on i.discipline_id = d.id and i.kind = r.kind and i.key = r.key, unnest(r.images) shown(name)
  on conflict do nothing`;

/** Moves items that are not in the folder behind the folder's items. The uniqueness of page numbers is checked at commit. */
const renumberOthers = `
  with loaded as (
    select d.id as discipline_id, r.kind, r.key
    from jsonb_to_recordset(?::jsonb) as r(prepa_key text, discipline_key text, kind text, key text)
    join prepa p on p.key = r.prepa_key join discipline d on d.prepa_id = p.id and d.key = r.discipline_key
  ), others as (
    select i.id, (select count(*) from loaded l where l.discipline_id = i.discipline_id and l.kind = i.kind)
                 + row_number() over (partition by i.discipline_id, i.kind order by i.numero_page, i.id) as place
    from item i
    where i.discipline_id in (select discipline_id from loaded)
      and not exists (select 1 from loaded l where l.discipline_id = i.discipline_id and l.kind = i.kind and l.key = i.key)
  )
  update item set numero_page = others.place, version = version + 1
  from others where others.id = item.id and item.numero_page <> others.place`;
