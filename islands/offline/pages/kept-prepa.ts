import type { KeptMark } from '../../../src/shared/offline/offline-copy.ts';
import type { OutcomeEntry } from '../../../src/shared/study/outcome.ts';
import type { PlacedItem } from '../../../src/shared/study/place.ts';
import type { DisciplineProgress } from '../../../src/shared/study/progress.ts';
import type { Copy, Store, StoredDiscipline, StoredItem } from '../store/store.ts';

/** A prepa as this device keeps it, with what the learner has made of it. */
export interface KeptPrepa {
  copy: Copy;
  disciplines: readonly StoredDiscipline[];
  items: ReadonlyMap<number, StoredItem>;
  marks: ReadonlyMap<number, KeptMark>;
}

export async function readPrepa(store: Store, copy: Copy): Promise<KeptPrepa> {
  const [disciplines, items, marks] = await Promise.all([store.disciplinesOf(copy.id), store.itemsOf(copy.id), store.marksOf(copy.id)]);
  return { copy, disciplines, items: new Map(items.map((item) => [item.id, item])), marks };
}

/** A discipline's items in the order of its contents. */
export const itemsIn = ({ items }: KeptPrepa, discipline: StoredDiscipline): StoredItem[] =>
  discipline.items.flatMap(({ id }) => items.get(id) ?? []);

/** Where an item stands, for presenters. */
export const placed = ({ copy }: KeptPrepa, discipline: StoredDiscipline, { id, kind, titre, annee }: StoredItem): PlacedItem => ({
  id,
  kind,
  titre,
  annee,
  prepaId: copy.id,
  prepaNom: copy.nom,
  disciplineId: discipline.id,
  disciplineNom: discipline.nom,
});

/** Of the last practice; null where there is no correction any more. */
const verdictOf = ({ marks }: KeptPrepa, { id, corrige }: StoredItem) => (corrige === null ? null : (marks.get(id)?.verdict ?? null));

export const outlineOf = (prepa: KeptPrepa, discipline: StoredDiscipline): OutcomeEntry[] =>
  itemsIn(prepa, discipline).map((item) => ({
    id: item.id,
    kind: item.kind,
    titre: item.titre,
    annee: item.annee,
    finished: prepa.marks.get(item.id)?.finished === true,
    verdict: verdictOf(prepa, item),
  }));

/** As the server counts it (`progressParts`). */
export const progressOf = (prepa: KeptPrepa): DisciplineProgress[] =>
  prepa.disciplines.map((discipline) => {
    const items = itemsIn(prepa, discipline);
    const read = items.flatMap((item) => {
      const mark = prepa.marks.get(item.id);
      return mark ? [{ item, mark }] : [];
    });
    const [last] = read.toSorted((one, other) => other.mark.readAt - one.mark.readAt || other.item.id - one.item.id);
    return {
      prepaId: prepa.copy.id,
      disciplineId: discipline.id,
      total: items.length,
      done: read.filter(({ mark }) => mark.finished).length,
      readAt: last ? last.mark.readAt / 1000 : null,
      last: last ? { id: last.item.id, kind: last.item.kind, titre: last.item.titre } : null,
    };
  });

/** What is marked 'à revoir' of some prepas, the latest first. */
export const toReviewOf = (prepas: readonly KeptPrepa[]) =>
  prepas
    .flatMap((prepa) =>
      prepa.disciplines.flatMap((discipline) =>
        itemsIn(prepa, discipline)
          .filter((item) => verdictOf(prepa, item) === 'a_revoir')
          .map((item) => {
            const { markedAt, times } = prepa.marks.get(item.id) as KeptMark;
            return { ...placed(prepa, discipline, item), markedAt: new Date(markedAt ?? 0), times };
          }),
      ),
    )
    .sort((one, other) => other.markedAt.getTime() - one.markedAt.getTime() || one.id - other.id);
