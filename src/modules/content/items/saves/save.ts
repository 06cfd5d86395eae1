import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { type MarkingRule, sayRule } from '../../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { emitPublishedItem } from '../content.events.ts';
import { documentsOf } from '../documents/document.repository.ts';
import { referToImages } from '../images/image.service.ts';
import type { Item } from '../item.entity.ts';
import { outdatedItem } from '../item.errors.ts';
import { presentItemForEditor } from '../item.presenter.ts';
import type { ItemRow } from '../item.repository.ts';
import { subjectOf } from '../item-lock.ts';
import { itemTypeOf } from '../item-types.ts';
import { indexItem } from '../item-words.ts';
import { storeQuestions } from '../questions/question.repository.ts';
import type { ItemHeading } from './item-form.ts';
import type { PreparedTexts } from './text-preparation.ts';

/** The new state of an item: heading and both texts. `texts` holds the prepared texts that the form contained. */
interface Save extends Omit<ItemHeading, 'bareme'> {
  intitule: string | null;
  duree: number | null;
  bareme: MarkingRule | null;
  contenu: string;
  corrige: string | null;
  keys: QuestionKey[];
  texts: PreparedTexts;
}

/** What the history says about a save besides its author. */
export interface SaveNote {
  /** Follows the author's name in the list of versions. */
  word: string;
  /** Further fields of the audit log. */
  audit: object;
}

/** Longest author of a version, in characters. */
const maxAuthor = 60;

/** Writes a save of an item whose row the caller has locked. The state before the save is kept as a version. */
export async function storeSave(
  tx: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  item: Item,
  save: Save,
  note?: SaveNote,
): Promise<ItemRow> {
  if (!differs(item, save)) return rowOf(tx, item);
  const { titre, intitule, annee, duree, bareme, contenu, corrige, keys, texts } = save;
  const before = snapshot(item);
  const textBefore = { contenu: item.contenu, keys: item.keys };
  await archive(tx, item.id, null);
  Object.assign(item, {
    titre,
    intitule,
    annee,
    duree,
    bareme,
    contenu,
    corrige,
    keys,
    version: item.version + 1,
    updatedAt: context.clock.now(),
  });
  await tx.flush();
  const name = note ? `${actor.name.slice(0, maxAuthor - note.word.length - 3)} (${note.word})` : actor.name;
  await keepSave(tx, { ...actor, name }, item, texts);
  await emitPublishedItem(tx, context, item, textBefore);
  await recordChange(tx, context, actor, { action: 'updated', ...subjectOf(item), before, after: { ...snapshot(item), ...note?.audit } });
  return rowOf(tx, item);
}

export const differs = (item: Item, { titre, intitule, annee, duree, bareme, contenu, corrige, keys }: Save): boolean =>
  !isDeepStrictEqual(item.keys, keys) ||
  item.titre !== titre ||
  (item.intitule ?? null) !== intitule ||
  (item.annee ?? null) !== annee ||
  (item.duree ?? null) !== duree ||
  !isDeepStrictEqual(item.bareme ?? null, bareme) ||
  item.contenu !== contenu ||
  (item.corrige ?? null) !== corrige;

/**
 * Keeps the item's current state as a version, unless it is kept already. @param savedBy null when the text was loaded from the
 * command line
 */
async function archive(tx: EntityManager, itemId: number, savedBy: string | null): Promise<void> {
  await tx.execute(
    `insert into item_version (item_id, version, titre, intitule, annee, duree, bareme, contenu, corrige, keys, saved_at, saved_by)
     select id, version, titre, intitule, annee, duree, bareme, contenu, corrige, keys, updated_at, ? from item where id = ?
     on conflict (item_id, version) do nothing`,
    [savedBy, itemId],
  );
}

/** Keeps the item's state as a version, and updates its search words and images. */
export async function keepSave(tx: EntityManager, actor: Actor, item: Item, texts: PreparedTexts): Promise<void> {
  await archive(tx, item.id, actor.name);
  await indexItem(tx, item.id);
  await storeQuestions(tx, [item]);
  await referToImages(tx, item.id, [...new Set(Object.values(texts).flatMap(({ images }) => images))]);
}

/** Throws when the edit is based on an earlier version than the current one. @throws AppError 409 */
export async function refuseOutdated(tx: EntityManager, item: Item, version: number | null): Promise<void> {
  if (version === null || version === item.version) return;
  const current = presentItemForEditor(await rowOf(tx, item));
  const [last] = await tx.execute<{ saved_by: string | null }[]>('select saved_by from item_version where item_id = ? and version = ?', [
    item.id,
    item.version,
  ]);
  throw outdatedItem(itemTypeOf(item.kind).changed, current, last?.saved_by ?? null);
}

/** Returns a written item in the form that the presenter needs. */
export async function rowOf(tx: EntityManager, item: Item): Promise<ItemRow> {
  const { id, discipline, kind, titre, intitule, numeroPage, annee, duree, bareme, contenu, corrige, keys, version, updatedAt } = item;
  const documents = await documentsOf(tx, id);
  return {
    id,
    disciplineId: discipline,
    kind,
    titre,
    intitule: intitule ?? null,
    numeroPage,
    annee: annee ?? null,
    duree: duree ?? null,
    bareme: bareme ?? null,
    contenu,
    corrige: corrige ?? null,
    keys,
    version,
    updatedAt,
    documents: documents.map(({ id, nom, octets }) => ({ id, nom, octets })),
  };
}

/** Returns the fields of an item that the audit log shows. The full texts are in its versions. */
export const snapshot = ({ titre, intitule, annee, duree, bareme, numeroPage, version, contenu, corrige }: Item) => ({
  titre,
  ...(intitule == null ? {} : { intitule }),
  ...(annee == null ? {} : { annee }),
  ...(duree == null ? {} : { duree }),
  ...(bareme == null ? {} : { bareme: sayRule(bareme) }),
  numero_page: numeroPage,
  version,
  contenu_caracteres: contenu.length,
  ...(corrige == null ? {} : { corrige_caracteres: corrige.length }),
});
