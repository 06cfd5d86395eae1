import type { KeptMark } from '../../../../src/shared/offline/offline-copy.ts';
import type { OutcomeEntry } from '../../../../src/shared/study/outcome.ts';
import type { PlacedItem } from '../../../../src/shared/study/place.ts';
import type { DisciplineProgress } from '../../../../src/shared/study/progress.ts';
import { readingMinutes } from '../../../../src/shared/study/reading-time.ts';
import { itemToResume, type ResumePlace } from '../../../../src/shared/study/resume.ts';
import type { Copy, Store, StoredDiscipline, StoredItem } from '../store/store.ts';

/** A kept prepa with its texts and the learner's marks. */
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

/** Returns a discipline's items in the order of the contents list. */
export const itemsIn = ({ items }: KeptPrepa, discipline: StoredDiscipline): StoredItem[] =>
  discipline.items.flatMap(({ id }) => items.get(id) ?? []);

/** Returns an item with its prepa and discipline, as presenters expect it. */
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

/** Returns the verdict of the last practice; null when the item has no correction any more. */
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

/** Returns the progress by discipline, counted like the server does (`progressParts`). */
export const progressOf = (prepa: KeptPrepa): DisciplineProgress[] =>
  prepa.disciplines.map((discipline) => {
    const items = itemsIn(prepa, discipline);
    const read = items.flatMap((item) => {
      const mark = prepa.marks.get(item.id);
      return mark ? [{ item, mark }] : [];
    });
    return {
      prepaId: prepa.copy.id,
      disciplineId: discipline.id,
      total: items.length,
      done: read.filter(({ item, mark }) => mark.finished && verdictOf(prepa, item) !== 'a_revoir').length,
      toReview: read.filter(({ item }) => verdictOf(prepa, item) === 'a_revoir').length,
      readAt: read.length > 0 ? Math.max(...read.map(({ mark }) => mark.readAt)) / 1000 : null,
    };
  });

/** Returns the item with which the learner continues, by the server's rules (`resumeSql`); null when there is none. */
export function resumeOf(prepa: KeptPrepa): ResumePlace | null {
  const { marks } = prepa;
  const items = prepa.disciplines.flatMap((discipline) => itemsIn(prepa, discipline));
  const [last] = items
    .flatMap(({ id }) => marks.get(id) ?? [])
    .toSorted((one, other) => other.readAt - one.readAt || other.item - one.item);
  const candidates = items.map((item) => {
    const mark = marks.get(item.id);
    return {
      ...item,
      finished: mark?.finished === true,
      toReviewSince: verdictOf(prepa, item) === 'a_revoir' ? (mark?.markedAt ?? 0) : null,
    };
  });
  const found = itemToResume(candidates, last?.item ?? null);
  if (!found) return null;
  const { id, kind, titre, discipline, duree, contenu } = found.item;
  return {
    prepaId: prepa.copy.id,
    disciplineId: discipline,
    id,
    kind,
    titre,
    practice: found.practice,
    begins: found.begins,
    minutes: duree ?? readingMinutes(contenu),
  };
}

/** Returns the items marked 'à revoir' in these prepas, newest mark first. */
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
