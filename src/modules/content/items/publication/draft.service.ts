import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { notFound } from '../../../../platform/errors.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { FieldError } from '../../../../shared/forms/field-errors.ts';
import { type ItemKind, kindDetails, type TextField, textNames } from '../../../../shared/item-kinds.ts';
import { withKeys } from '../../../../shared/questions/question-keys.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { maxRemarks, Remarks } from '../../texts/remarks.ts';
import { ItemDraft } from '../drafts/draft.entity.ts';
import { type DraftRow, findDraft, hasAllDrafts, reserveItemId } from '../drafts/draft.repository.ts';
import { removeUnusedImages } from '../images/image.service.ts';
import { Item } from '../item.entity.ts';
import { invalidItem } from '../item.errors.ts';
import { findItemOfAnyKind } from '../item.repository.ts';
import { lockDiscipline } from '../item-lock.ts';
import { disciplineGone, readDiscipline } from '../saves/item.service.ts';
import { type Fields, fieldsOf, readRevision, readVersion, textsOf } from '../saves/item-form.ts';
import { baseOf, knownTexts } from '../saves/stored-texts.ts';
import { type PreparedTexts, TextPreparation } from '../saves/text-preparation.ts';
import { draftGone, outdatedDraft, tooManyDrafts } from './draft.errors.ts';
import { presentDraft } from './draft.presenter.ts';
import { readSource, readTyped } from './draft-form.ts';

/** A kept draft, and remarks on the parts of its texts that could not be kept. */
export interface KeptDraft {
  draft: DraftRow;
  remarques: string[];
  /** Texts that the form gave as differences and that are stored unchanged: the caller has them. */
  known: readonly TextField[];
}

/** Returns the remarks of an import, and further ones, as they are kept: long ones are cut, and a last line gives the number of omitted ones. */
function keptRemarks(given: unknown, further: readonly string[] = []): string[] {
  const remarks = new Remarks();
  for (const remark of [...z.array(z.string()).catch([]).parse(given), ...further])
    remarks.say(remark.replaceAll('\0', '').slice(0, 1_000));
  return remarks.list(maxRemarks);
}

/**
 * Keeps a new item as a draft. Learners see nothing of it until it is published.
 * @param body the fields of the item, which may be empty or wrong until then, `discipline_id`, the texts; of an import, `remarques` and `source`, the name
 * of the file
 * @throws AppError 400
 */
export async function createDraft(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, body }: { kind: ItemKind; body: unknown },
): Promise<KeptDraft> {
  const fields = fieldsOf(body);
  const errors: FieldError[] = [];
  const discipline = await readDiscipline(em, fields, errors);
  const source = readSource(fields, errors);
  const id = await reserveItemId(em);
  const { heading, texts, remarques, known } = await readDraft(em, context, { kind, id, fields, errors });
  return transact(em, context, async (tx) => {
    if (!(await lockDiscipline(tx, discipline))) throw invalidItem([disciplineGone]);
    if (await hasAllDrafts(tx, discipline)) throw tooManyDrafts();
    const draft = tx.create(ItemDraft, {
      id,
      discipline,
      kind,
      intitule: '',
      ...heading,
      contenu: texts.contenu?.html ?? '',
      corrige: texts.corrige?.html || null,
      keys: texts.contenu?.keys ?? [],
      version: null,
      publishAt: null,
      fault: null,
      // Of an import, the draft also keeps what is lost of its texts here.
      remarks: fields.remarques === undefined ? [] : keptRemarks(fields.remarques, remarques),
      source,
      savedAt: context.clock.now(),
      savedBy: actor.name,
    });
    await tx.flush();
    await keepImages(tx, id, texts);
    return { draft: await draftNow(tx, draft.id), remarques, known };
  });
}

/**
 * Keeps a copy of an item, or of its draft if there is one, as the draft of a new item of the same list. Its questions get ids of their own.
 * @throws AppError 404
 */
export async function duplicate(em: EntityManager, context: UseCaseContext, actor: Actor, { id }: { id: number }): Promise<KeptDraft> {
  const draft = await findDraft(em, id);
  const item = draft ?? (await findItemOfAnyKind(em, id));
  if (!item) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  const { kind, disciplineId, titre, intitule, annee, duree, bareme, keys } = item;
  const { text, hasCorrection } = kindDetails[kind];
  // A text from which the ids are removed gets new ones.
  const contenu = withKeys(item.contenu, keys).replaceAll(/(<(?:section|article)[^>]*?) data-id="[^"]*"/g, '$1');
  return createDraft(em, context, actor, {
    kind,
    body: {
      titre: titre && `${titre.slice(0, 92)} - copie`,
      intitule: intitule && `${intitule.slice(0, 192).replace(/\p{Surrogate}$/u, '')} (copie)`,
      annee,
      duree,
      bareme,
      [text]: contenu,
      ...(hasCorrection && { corrige: item.corrige ?? '' }),
      discipline_id: disciplineId,
    },
  });
}

/**
 * Saves a draft, or begins one of a published item. Omitted texts and an omitted `intitule` stay unchanged. Writes nothing when an outdated
 * save contains what is stored.
 * @param body as for `createDraft`, with the `revision` of the draft that was changed (null for the first), and the `version` of the
 * published item
 * @throws AppError 400, 404, 409 with `current` and `changedBy`
 */
export async function saveDraft(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, body }: { id: number; body: unknown },
): Promise<KeptDraft> {
  const fields = fieldsOf(body);
  const errors: FieldError[] = [];
  const { kind } = await placeOf(em, id);
  const base = baseOf(textsOf(kind, fields));
  const revision = readRevision(fields.revision, errors) ?? base.revision;
  const version = readVersion(fields, errors) ?? base.version;
  const { heading, texts, remarques, known } = await readDraft(em, context, { kind, id, fields, errors });
  return transact(em, context, async (tx) => {
    const stored = await lockDraft(tx, id);
    const content = {
      ...heading,
      ...(texts.contenu && { contenu: texts.contenu.html, keys: texts.contenu.keys }),
      ...(texts.corrige && { corrige: texts.corrige.html || null }),
      ...(stored && fields.remarques !== undefined && { remarks: keptRemarks(fields.remarques) }),
    };
    const save = { ...content, fault: null, savedAt: context.clock.now(), savedBy: actor.name };
    if (stored) {
      if (stored.revision !== revision) {
        const draft = await draftNow(tx, id);
        // A client that lost the response sends the same save again: this is no conflict.
        if (differs(stored, content)) throw outdatedDraft(presentDraft(draft), stored.savedBy);
        return { draft, remarques, known };
      }
      Object.assign(stored, save, { revision: stored.revision + 1, version: stored.version ?? null });
    } else {
      if (revision !== null) throw draftGone();
      const item = await tx.findOne(Item, { id }, { populate: ['contenu', 'corrige'] });
      if (!item) throw draftGone();
      const { contenu, corrige, keys, discipline, intitule } = item;
      const published = {
        id,
        discipline,
        kind,
        contenu,
        corrige: corrige ?? null,
        keys,
        intitule: intitule ?? '',
        version: version ?? item.version,
        publishAt: null,
      };
      tx.create(ItemDraft, { ...published, remarks: [], source: null, ...save });
    }
    await tx.flush();
    await keepImages(tx, id, texts);
    return { draft: await draftNow(tx, id), remarques, known };
  });
}

const differs = (stored: ItemDraft, content: Partial<ItemDraft>): boolean =>
  (Object.keys(content) as (keyof ItemDraft)[]).some((name) => !isDeepStrictEqual(stored[name] ?? null, content[name] ?? null));

/** Removes a draft; a published item stays as it is. The audit log keeps the draft's texts. @throws AppError 404, 409 */
export function discardDraft(em: EntityManager, context: UseCaseContext, actor: Actor, { id }: { id: number }): Promise<void> {
  return transact(em, context, async (tx, afterCommit) => {
    const draft = await lockDraft(tx, id);
    if (!draft) throw draftGone();
    const { kind, titre, intitule, annee, duree, bareme, contenu, corrige, discipline } = draft;
    const before = { titre, intitule, annee, duree, bareme, contenu, corrige: corrige ?? null, discipline_id: discipline, brouillon: true };
    await recordChange(tx, context, actor, { action: 'deleted', subject: kind, subjectId: id, label: titre || 'Sans titre', before });
    tx.remove(draft);
    await tx.flush();
    afterCommit(() => removeUnusedImages(em, context));
  });
}

/** Returns a draft with its texts. @throws AppError 404 */
export async function readDraftOf(em: EntityManager, id: number): Promise<DraftRow> {
  const draft = await findDraft(em, id);
  if (!draft) throw draftGone();
  return draft;
}

/** Returns the draft, locked for a change; null when there is none. Its discipline is locked first, as for items. @throws AppError 404 */
export async function lockDraft(tx: EntityManager, id: number): Promise<ItemDraft | null> {
  for (let place = await placeOf(tx, id); ; ) {
    await lockDiscipline(tx, place.discipline);
    const now = await placeOf(tx, id);
    if (now.discipline === place.discipline) break;
    // Another administrator has moved it meanwhile.
    place = now;
  }
  return tx.findOne(ItemDraft, { id }, { populate: ['contenu', 'corrige'], refresh: true });
}

/** Returns the kind and discipline of an item, published or not. @throws AppError 404 */
async function placeOf(em: EntityManager, id: number): Promise<{ kind: ItemKind; discipline: number }> {
  const [place] = await em.execute<{ kind: ItemKind; discipline: number }[]>(
    `select kind, discipline_id as discipline from item where id = ?
     union all select kind, discipline_id from item_draft where id = ? limit 1`,
    [id, id],
  );
  if (!place) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  return place;
}

async function draftNow(tx: EntityManager, id: number): Promise<DraftRow> {
  const draft = await findDraft(tx, id);
  if (!draft) throw new Error(`the draft ${id} that was just written is missing`);
  return draft;
}

/** Records the images that a draft shows now: of the texts that were saved, and of those that stayed. */
async function keepImages(tx: EntityManager, id: number, texts: PreparedTexts): Promise<void> {
  const names = [...new Set(Object.values(texts).flatMap(({ images }) => images))];
  if (names.length === 0) return;
  await tx.execute('insert into item_draft_image (draft_id, image_name) select ?, unnest(?::text[]) on conflict do nothing', [
    id,
    `{${names.map((name) => `"${name}"`).join(',')}}`,
  ]);
}

async function readDraft(
  em: EntityManager,
  context: UseCaseContext,
  { kind, id, fields, errors }: { kind: ItemKind; id: number; fields: Fields; errors: FieldError[] },
) {
  const preparation = new TextPreparation(em, context, (column) => textNames(kind)[column] ?? column, id);
  const heading = readTyped(fields, errors);
  const given = textsOf(kind, fields);
  const documents = await preparation.read(given, errors);
  if (errors.length > 0) throw invalidItem(errors);
  const texts = await preparation.write(documents, errors);
  if (errors.length > 0) throw invalidItem(errors);
  return { heading, texts, remarques: preparation.remarks.list(maxRemarks), known: knownTexts(given, texts) };
}
