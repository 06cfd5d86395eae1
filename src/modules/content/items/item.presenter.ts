import { type ItemKind, kindDetails } from '../../../shared/item-kinds.ts';
import type { ItemRow, ListedItem, PlacedItem } from './item.repository.ts';
import { itemTypeOf } from './item-types.ts';
import type { ListedVersion, VersionRow, VersionTexts } from './version.repository.ts';

/** A lesson, an exercise or a past subject in the shape that the specification gives each (§3). */
export function presentItem(item: ItemRow) {
  const { id, titre, numero_page, discipline_id } = item;
  return { id, titre, numero_page, discipline_id, ...presentTexts(item.kind, item) };
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

const presentEdition = ({ version, updated_at }: Pick<ItemRow, 'version' | 'updated_at'>) => ({
  version,
  updated_at: new Date(updated_at).toISOString(),
});

/** An item in the list of the administration screen: without its texts. */
export function presentListedItem(item: ListedItem) {
  const { id, titre, numero_page } = item;
  return { id, titre, numero_page, ...(kindDetails[item.kind].hasAnnee ? { annee: item.annee } : {}), ...presentEdition(item) };
}

/** An item that this reader may know of but not read: named, without content. */
export function presentLockedItem(item: ItemRow) {
  const { id, titre, numero_page, discipline_id } = item;
  return { id, titre, numero_page, discipline_id, ...(kindDetails[item.kind].hasAnnee ? { annee: item.annee } : {}), locked: true };
}

/** A PDF for whoever may read its item. */
export function presentDocument({ id, nom, octets }: { id: number; nom: string; octets: number }) {
  return { id, nom, octets, url: `/documents/${id}/${encodeURIComponent(nom)}.pdf` };
}

/** A kept version in a list. */
export const presentListedVersion = (version: ListedVersion) => ({ ...presentSave(version), longueur: version.longueur });

function presentSave({ version, titre, saved_at, saved_by, current }: VersionRow) {
  return { version, titre, saved_at: new Date(saved_at).toISOString(), saved_by, current };
}

/** A kept version with its texts. */
export function presentVersion(kind: ItemKind, version: VersionTexts) {
  return { ...presentSave(version), ...presentTexts(kind, version) };
}

/** Where an item stands, as lists over several prepas say it: 'ENS > Mathématiques > Ancien sujet 2019'. */
export function presentPlace(item: Pick<PlacedItem, 'prepa_nom' | 'discipline_nom' | 'kind' | 'annee'>): string {
  const { result } = itemTypeOf(item.kind);
  return [item.prepa_nom, item.discipline_nom, item.annee === null ? result : `${result} ${item.annee}`].join(' > ');
}
