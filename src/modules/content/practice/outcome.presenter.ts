import { type ItemKind, itemKinds } from '../../../shared/item-kinds.ts';
import { onwardFrom } from '../../../shared/study-order.ts';
import type { OutcomeEntry } from './outcome.repository.ts';
import type { Verdict } from './practice.entity.ts';

/** Of what is to be taken again, so many are named; the list has them all. */
const maxNamed = 5;

const marked: Record<Verdict, string> = {
  reussi: 'Entraînement noté : réussi. Bravo !',
  a_revoir: "Entraînement noté : à revoir. Vous le retrouverez dans la liste 'À revoir'.",
};
const read: Record<ItemKind, string> = {
  course: 'Leçon terminée. Bravo !',
  exercise: 'Exercice terminé. Bravo !',
  pastExam: 'Ancien sujet terminé. Bravo !',
};
const sectionNames: Record<ItemKind, string> = { course: 'Cours', exercise: 'Exercices', pastExam: 'Anciens sujets' };
const nextLabels: Record<ItemKind, string> = { course: 'Leçon suivante', exercise: 'Exercice suivant', pastExam: 'Sujet suivant' };

/** What a learner has achieved with an item, and what follows; null for an item that is neither finished nor marked. `study` is the study page's path. */
export function presentOutcome(outline: readonly OutcomeEntry[], item: OutcomeEntry, study: string) {
  if (!item.finished && item.verdict === null) return null;
  const sections = itemKinds.map((type) => ({ type, items: outline.filter(({ kind }) => kind === type) }));
  const own = outline.filter(({ kind }) => kind === item.kind);
  const next = own[own.indexOf(item) + 1];
  const onward = onwardFrom(sections, item.kind);
  const href = (type: ItemKind, id: number) => `${study}?type=${type}&item=${id}`;
  return {
    titre: item.titre,
    said: item.verdict ? marked[item.verdict] : read[item.kind],
    counts: sections
      .filter(({ items }) => items.length > 0)
      .map(({ type, items }) => ({
        name: sectionNames[type],
        progress: { done: items.filter(({ finished }) => finished).length, total: items.length },
      })),
    next: next
      ? { label: `${nextLabels[item.kind]} : ${next.titre}`, href: href(item.kind, next.id) }
      : onward && { label: onward.label, href: href(onward.type, onward.id) },
    again: outline
      .filter(({ verdict }) => verdict === 'a_revoir')
      .slice(0, maxNamed)
      .map(({ id, kind, titre }) => ({ titre, href: `${study}/entrainement?type=${kind}&item=${id}` })),
  };
}
