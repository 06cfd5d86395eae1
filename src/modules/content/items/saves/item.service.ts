import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppError } from '../../../../platform/errors.ts';
import { idSchema } from '../../../../platform/http/validators.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { FieldError } from '../../../../shared/forms/field-errors.ts';
import { type ItemKind, kindDetails, type TextField, textNames } from '../../../../shared/item-kinds.ts';
import { ordinaryRule, sayRule } from '../../../../shared/questions/marking-rule.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { maxRemarks } from '../../texts/remarks.ts';
import { emitPublishedItem } from '../content.events.ts';
import { documentsOf } from '../documents/document.repository.ts';
import { releaseDocuments } from '../documents/document.service.ts';
import { dropDraft, takeDraft } from '../drafts/draft.repository.ts';
import { removeUnusedImages } from '../images/image.service.ts';
import { Item } from '../item.entity.ts';
import { invalidItem } from '../item.errors.ts';
import type { ItemRow } from '../item.repository.ts';
import { lockDiscipline, lockItem, subjectOf } from '../item-lock.ts';
import { type Fields, fieldsOf, type ItemHeading, readHeading, readRevision, readVersion, textsOf } from './item-form.ts';
import { differs, keepSave, refuseOutdated, rowOf, type SaveNote, snapshot, storeSave } from './save.ts';
import { baseOf, knownTexts } from './stored-texts.ts';
import { type PreparedTexts, TextPreparation } from './text-preparation.ts';

/** The written item, and remarks on the parts that could not be kept. */
export interface Written {
  item: ItemRow;
  remarques: string[];
  /** Texts that the form gave as differences and that are stored unchanged: the caller has them. */
  known: readonly TextField[];
}

/** The draft that a save publishes: it is removed in the transaction of the save. */
interface TakenDraft {
  id: number;
  revision: number;
  /** Returns the error when the draft is gone; undefined where that is no fault. */
  gone?: () => AppError;
}

export const disciplineGone: FieldError = { field: 'discipline_id', message: "Cette discipline n'existe pas ou n'existe plus" };

/**
 * Creates a lesson, an exercise, a past exam or a series at the end of its list.
 * @param draft the draft of the item, which has reserved its id
 * @param body fields `titre`, `intitule` (optional), `annee` (past exams), `duree` (not for lessons), `bareme` (series), `discipline_id`, and the texts
 * @throws AppError 400 with the faults of all fields
 */
export async function createItem(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, body, draft }: { kind: ItemKind; body: unknown; draft?: TakenDraft },
): Promise<Written> {
  const fields = fieldsOf(body);
  const errors: FieldError[] = [];
  const disciplineId = await readDiscipline(em, fields, errors);
  const { heading, texts, remarques, known } = await readForm(em, context, { kind, id: draft?.id ?? null, fields, errors });
  const at = context.clock.now();
  const item = await transact(em, context, async (tx) => {
    if (!(await lockDiscipline(tx, disciplineId))) throw invalidItem([disciplineGone]);
    await take(tx, draft, disciplineId);
    const count = await tx.count(Item, { discipline: disciplineId, kind });
    const created = tx.create(Item, {
      ...(draft && { id: draft.id }),
      ...heading,
      intitule: heading.intitule ?? null,
      duree: heading.duree ?? null,
      bareme: kindDetails[kind].hasBareme ? (heading.bareme ?? ordinaryRule) : null,
      kind,
      discipline: disciplineId,
      key: null,
      numeroPage: count + 1,
      contenu: texts.contenu?.html ?? '',
      corrige: texts.corrige?.html || null,
      keys: texts.contenu?.keys ?? [],
      version: 1,
      createdAt: at,
      updatedAt: at,
    });
    await tx.flush();
    await keepSave(tx, actor, created, texts);
    await emitPublishedItem(tx, context, created, null);
    await recordChange(tx, context, actor, { action: 'created', ...subjectOf(created), after: snapshot(created) });
    return rowOf(tx, created);
  });
  return { item, remarques, known };
}

/**
 * Saves an item as a new version; earlier versions are kept. Writes nothing when nothing changed.
 * @param body fields `titre`, `intitule` (optional), `annee` (past exams), `duree` (not for lessons), `bareme` (series), the texts, and the `version` on which the
 * edit is based; without it, that of the texts' differences. Omitted texts and an omitted `intitule`, `duree` or `bareme` stay unchanged. `brouillon`: the revision of the item's draft that the
 * save contains
 * @param note what the history says about the save
 * @throws AppError 400, 404, 409 with `current` and `changedBy`
 */
export async function updateItem(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, id, body, draft, note }: { kind: ItemKind; id: number; body: unknown; draft?: TakenDraft; note?: SaveNote },
): Promise<Written> {
  const fields = fieldsOf(body);
  const errors: FieldError[] = [];
  const version = readVersion(fields, errors) ?? baseOf(textsOf(kind, fields)).version;
  const revision = readRevision(fields.brouillon, errors);
  const { heading, texts, remarques, known } = await readForm(em, context, { kind, id, fields, errors });
  const item = await transact(em, context, async (tx) => {
    const stored = await lockItem(tx, kind, id);
    await take(tx, draft ?? (revision === null ? undefined : { id, revision }));
    const save = {
      ...heading,
      intitule: heading.intitule === undefined ? (stored.intitule ?? null) : heading.intitule,
      duree: heading.duree === undefined ? (stored.duree ?? null) : heading.duree,
      bareme: heading.bareme ?? stored.bareme ?? null,
      contenu: texts.contenu ? texts.contenu.html : stored.contenu,
      corrige: texts.corrige ? texts.corrige.html || null : (stored.corrige ?? null),
      keys: texts.contenu ? texts.contenu.keys : stored.keys,
      texts,
    };
    // A client that lost the response sends the same save again: this is no conflict.
    if (differs(stored, save)) await refuseOutdated(tx, stored, version);
    return storeSave(tx, context, actor, stored, save, note);
  });
  return { item, remarques, known };
}

/**
 * Moves an item within its list and renumbers the items in between.
 * @param to the form, with `numero_page` from 1 to the length of the list
 * @throws AppError 400, 404
 */
export function moveItem(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, id, to }: { kind: ItemKind; id: number; to: number },
): Promise<void> {
  return transact(em, context, async (tx) => {
    const item = await lockItem(tx, kind, id);
    const { discipline, numeroPage: from } = item;
    const count = await tx.count(Item, { discipline, kind });
    if (to > count) throw invalidItem([{ field: 'numero_page', message: `La page doit être comprise entre 1 et ${count}` }]);
    if (to === from) return;
    await tx.execute(
      `update item set numero_page = case when id = ? then ? else numero_page + ? end
       where discipline_id = ? and kind = ? and numero_page between ? and ?`,
      [id, to, from < to ? -1 : 1, discipline, kind, Math.min(from, to), Math.max(from, to)],
    );
    await recordChange(tx, context, actor, {
      action: 'updated',
      ...subjectOf(item),
      before: { numero_page: from },
      after: { numero_page: to },
    });
  });
}

/**
 * Deletes an item with its versions and documents, and renumbers the items after it. The audit log keeps its texts.
 * @throws AppError 404
 */
export function deleteItem(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, id }: { kind: ItemKind; id: number },
): Promise<void> {
  return transact(em, context, async (tx, afterCommit) => {
    const item = await lockItem(tx, kind, id);
    const { titre, intitule, numeroPage, annee, duree, bareme, contenu, corrige, discipline } = item;
    const before = {
      titre,
      ...(intitule && { intitule }),
      numero_page: numeroPage,
      annee: annee ?? null,
      duree: duree ?? null,
      ...(bareme && { bareme: sayRule(bareme) }),
      contenu,
      corrige: corrige ?? null,
      discipline_id: discipline,
    };
    await recordChange(tx, context, actor, { action: 'deleted', ...subjectOf(item), before });
    const files = (await documentsOf(tx, id)).map(({ file }) => file);
    await dropDraft(tx, id);
    await tx.nativeDelete(Item, { id });
    await tx.execute('update item set numero_page = numero_page - 1 where discipline_id = ? and kind = ? and numero_page > ?', [
      discipline,
      kind,
      numeroPage,
    ]);
    afterCommit(() => releaseDocuments(em, context, files));
    afterCommit(() => removeUnusedImages(em, context));
  });
}

/**
 * Removes the draft that a save publishes.
 * @param discipline the discipline in which its item is created
 * @throws DraftMoved when the draft has been moved to another one since it was read
 */
async function take(tx: EntityManager, draft: TakenDraft | undefined, discipline?: number): Promise<void> {
  if (!draft) return;
  const taken = await takeDraft(tx, draft);
  if (taken === null && draft.gone) throw draft.gone();
  if (taken !== null && discipline !== undefined && taken !== discipline) throw new DraftMoved();
}

/** The draft was moved to another discipline while it was being published. Nothing was written: the caller reads it again. */
export class DraftMoved extends Error {
  override name = 'DraftMoved';
}

export async function readDiscipline(em: EntityManager, { discipline_id: given }: Fields, errors: FieldError[]): Promise<number> {
  const id = idSchema.safeParse(given).data;
  const known = id !== undefined && (await em.execute('select id from discipline where id = ?', [id])).length > 0;
  if (!known) errors.push(disciplineGone);
  return id ?? 0;
}

/** Validates a form and prepares its texts. Images in texts are stored only when the form has no other fault. @throws AppError 400 */
async function readForm(
  em: EntityManager,
  context: UseCaseContext,
  { kind, id = null, fields, errors }: { kind: ItemKind; id?: number | null; fields: Fields; errors: FieldError[] },
): Promise<{ heading: ItemHeading; texts: PreparedTexts; remarques: string[]; known: TextField[] }> {
  const preparation = new TextPreparation(em, context, (column) => textNames(kind)[column] ?? column, id);
  const heading = readHeading(kind, fields, context.clock, errors);
  if (!kindDetails[kind].hasCorrection && fields.corrige)
    preparation.remarks.sayWithCount(
      `Une ${kindDetails[kind].name.toLowerCase()} n'a pas de corrigé : le texte envoyé sous ce nom n'est pas gardé.`,
    );
  const given = textsOf(kind, fields);
  const documents = await preparation.read(given, errors);
  if (!heading || errors.length > 0) throw invalidItem(errors);
  const texts = await preparation.write(documents, errors);
  if (errors.length > 0) throw invalidItem(errors);
  return { heading, texts, remarques: preparation.remarks.list(maxRemarks), known: knownTexts(given, texts) };
}
