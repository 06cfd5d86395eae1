import { type ItemKind, kindDetails } from '../../../shared/item-kinds.ts';
import type { ItemRow, ListedItem } from './item.repository.ts';
import type { ListedVersion, VersionRow, VersionTexts } from './version.repository.ts';

/** A lesson, an exercise or a past subject in the shape that the specification gives each (§3). */
export function presentItem(item: ItemRow) {
  const { id, titre, numeroPage, disciplineId } = item;
  return { id, titre, numero_page: numeroPage, discipline_id: disciplineId, ...presentTexts(item.kind, item) };
}

/** The same on its own, with the documents that go with it. */
export const presentItemForReader = (item: ItemRow) => ({ ...presentItem(item), documents: item.documents.map(presentDocument) });

/** The same for administrators: with what an edit needs. */
export const presentItemForEditor = (item: ItemRow) => ({ ...presentItemForReader(item), ...presentEdition(item) });

function presentTexts(kind: ItemKind, { annee, duree, contenu, corrige }: Pick<ItemRow, 'annee' | 'duree' | 'contenu' | 'corrige'>) {
  switch (kind) {
    case 'course':
      return { contenu };
    case 'exercise':
      return { duree, enonce: contenu, corrige };
    case 'pastExam':
      return { annee: annee as number, duree, contenu, corrige };
  }
}

const presentEdition = ({ version, updatedAt }: Pick<ItemRow, 'version' | 'updatedAt'>) => ({
  version,
  updated_at: new Date(updatedAt).toISOString(),
});

/** An item in the list of the administration screen: without its texts. */
export function presentListedItem(item: ListedItem) {
  const { id, titre, numeroPage } = item;
  return { id, titre, numero_page: numeroPage, ...(kindDetails[item.kind].hasAnnee ? { annee: item.annee } : {}), ...presentEdition(item) };
}

/** An item that this reader may know of but not read: named, without content. */
export function presentLockedItem(item: ItemRow) {
  const { id, titre, numeroPage, disciplineId } = item;
  const annee = kindDetails[item.kind].hasAnnee ? { annee: item.annee } : {};
  return { id, titre, numero_page: numeroPage, discipline_id: disciplineId, ...annee, locked: true };
}

/** A PDF for whoever may read its item. */
export function presentDocument({ id, nom, octets }: { id: number; nom: string; octets: number }) {
  return { id, nom, octets, url: `/documents/${id}/${encodeURIComponent(nom)}.pdf` };
}

/** A kept version in a list. */
export const presentListedVersion = (version: ListedVersion) => ({ ...presentSave(version), longueur: version.longueur });

function presentSave({ version, titre, savedAt, savedBy, current }: VersionRow) {
  return { version, titre, saved_at: new Date(savedAt).toISOString(), saved_by: savedBy, current };
}

/** A kept version with its texts. */
export function presentVersion(kind: ItemKind, version: VersionTexts) {
  return { ...presentSave(version), ...presentTexts(kind, version) };
}
