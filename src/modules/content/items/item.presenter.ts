import { type ItemKind, kindDetails } from '../../../shared/item-kinds.ts';
import { ordinaryRule } from '../../../shared/questions/marking-rule.ts';
import { withoutUnusable } from '../../../shared/questions/question-html.ts';
import { withKeys } from '../../../shared/questions/question-keys.ts';
import type { ItemRow, ListedItem } from './item.repository.ts';
import type { ListedVersion, VersionRow, VersionTexts } from './version.repository.ts';

/** Returns an item in the shape that the specification defines for its kind (§3), a series in one like them. */
export function presentItem(item: ItemRow) {
  const { id, titre, intitule, numeroPage, disciplineId } = item;
  return {
    id,
    titre,
    ...(intitule !== null && { intitule }),
    numero_page: numeroPage,
    discipline_id: disciplineId,
    ...presentTexts(item.kind, item),
  };
}

/** Returns a single item for a reader, with its documents. */
export const presentItemForReader = (item: ItemRow) => ({ ...presentItem(item), documents: item.documents.map(presentDocument) });

/** Returns a single item for administrators, with the keys of its questions and the fields that an edit needs. */
export const presentItemForEditor = (item: ItemRow) => ({ ...presentItemForReader(withItsKeys(item)), ...presentEdition(item) });

/** Returns an item whose text has the keys of its questions. Only administrators may see them. */
export const withItsKeys = <Item extends Pick<ItemRow, 'contenu' | 'keys'>>(item: Item): Item => ({
  ...item,
  contenu: withKeys(item.contenu, item.keys),
});

/** Returns an item as learners and visitors may see it: without the questions that have a fault. */
export const withoutFaults = <Item extends Pick<ItemRow, 'contenu'>>(item: Item): Item => ({
  ...item,
  contenu: withoutUnusable(item.contenu),
});

function presentTexts(
  kind: ItemKind,
  { annee, duree, bareme, contenu, corrige }: Pick<ItemRow, 'annee' | 'duree' | 'bareme' | 'contenu' | 'corrige'>,
) {
  const { hasAnnee, hasDuree, hasBareme, hasCorrection, text } = kindDetails[kind];
  return {
    ...(hasAnnee && { annee: annee as number }),
    ...(hasDuree && { duree }),
    ...(hasBareme && { bareme: bareme ?? ordinaryRule }),
    ...(text === 'enonce' ? { enonce: contenu } : { contenu }),
    ...(hasCorrection && { corrige }),
  };
}

const presentEdition = ({ intitule, version, updatedAt }: Pick<ItemRow, 'intitule' | 'version' | 'updatedAt'>) => ({
  intitule,
  version,
  updated_at: new Date(updatedAt).toISOString(),
});

/** Returns an item of the administration screen's list, without its texts. */
export function presentListedItem(item: ListedItem) {
  const { id, titre, numeroPage } = item;
  return {
    id,
    titre,
    numero_page: numeroPage,
    ...(kindDetails[item.kind].hasAnnee ? { annee: item.annee } : {}),
    ...presentEdition(item),
  };
}

/** Returns an item that the reader may not read: only its title and position, without content. */
export function presentLockedItem(item: ItemRow) {
  const { id, titre, intitule, numeroPage, disciplineId } = item;
  const annee = kindDetails[item.kind].hasAnnee ? { annee: item.annee } : {};
  return {
    id,
    titre,
    ...(intitule !== null && { intitule }),
    numero_page: numeroPage,
    discipline_id: disciplineId,
    ...annee,
    locked: true,
  };
}

/** Returns a document as readers of its item see it. */
export function presentDocument({ id, nom, octets }: { id: number; nom: string; octets: number }) {
  return { id, nom, octets, url: `/documents/${id}/${encodeURIComponent(nom)}.pdf` };
}

/** Returns a kept version in a list, without its texts. */
export const presentListedVersion = (version: ListedVersion) => ({ ...presentSave(version), longueur: version.longueur });

function presentSave({ version, titre, intitule, savedAt, savedBy, current }: VersionRow) {
  return { version, titre, intitule, saved_at: new Date(savedAt).toISOString(), saved_by: savedBy, current };
}

/** Returns a kept version with its texts. */
export function presentVersion(kind: ItemKind, version: VersionTexts) {
  return { ...presentSave(version), ...presentTexts(kind, withItsKeys(version)) };
}
