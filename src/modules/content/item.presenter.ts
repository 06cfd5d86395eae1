import type { ItemRow } from './item.repository.ts';

/** A lesson, an exercise or a past subject in the shape that the specification gives each (§3). */
export function presentItem(item: ItemRow) {
  const common = { id: item.id, titre: item.titre, numero_page: item.numero_page, discipline_id: item.discipline_id };
  switch (item.kind) {
    case 'course':
      return { ...common, contenu: item.contenu };
    case 'exercise':
      return { ...common, enonce: item.contenu, corrige: item.corrige };
    case 'pastExam':
      return { ...common, annee: item.annee, contenu: item.contenu, corrige: item.corrige };
  }
}

/** An item that this reader may know of but not read: named, without content. */
export function presentLockedItem(item: ItemRow) {
  const { id, titre, numero_page, discipline_id } = item;
  return { id, titre, numero_page, discipline_id, ...(item.kind === 'pastExam' ? { annee: item.annee } : {}), locked: true };
}
