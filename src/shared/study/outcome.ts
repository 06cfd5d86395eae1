import { type ItemKind, itemKinds } from '../item-kinds.ts';
import { onwardFrom } from '../study-order.ts';
import { type PlacedItem, prepaHref, studyHref } from './place.ts';
import type { OutlineEntry } from './study-page.ts';
import type { Verdict } from './verdicts.ts';

/** An item of a discipline with what a learner has made of it. */
export interface OutcomeEntry extends OutlineEntry {
  finished: boolean;
  /** Of the last practice; null without one, and where there is no correction any more. */
  verdict: Verdict | null;
}

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

/** What a learner has achieved with an item, and what follows, as `content/outcome` shows it; null for an item that is neither finished nor marked. */
export function presentOutcome(
  outline: readonly OutcomeEntry[],
  item: OutcomeEntry,
  { prepaId, prepaNom, disciplineId, disciplineNom }: Pick<PlacedItem, 'prepaId' | 'prepaNom' | 'disciplineId' | 'disciplineNom'>,
) {
  if (!item.finished && item.verdict === null) return null;
  const study = studyHref(prepaId, disciplineId);
  const sections = itemKinds.map((type) => ({ type, items: outline.filter(({ kind }) => kind === type) }));
  const own = outline.filter(({ kind }) => kind === item.kind);
  const next = own[own.indexOf(item) + 1];
  const onward = onwardFrom(sections, item.kind);
  const href = (type: ItemKind, id: number) => `${study}?type=${type}&item=${id}`;
  const said = item.verdict ? marked[item.verdict] : read[item.kind];
  return {
    title: said,
    titre: item.titre,
    said,
    /** Of the prepa and its discipline. */
    place: `${prepaNom} > ${disciplineNom}`,
    /** The study page of the item. */
    study: href(item.kind, item.id),
    /** The prepa's disciplines. */
    disciplines: prepaHref(prepaId),
    counts: sections
      .filter(({ items }) => items.length > 0)
      .map(({ type, items }) => ({
        name: sectionNames[type],
        progress: { done: items.filter(({ finished }) => finished).length, total: items.length },
      })),
    /** The form that takes back what was finished by reading; null for what was marked. */
    reopen: item.verdict ? null : { action: `${study}/rouvert`, type: item.kind, item: item.id },
    next: next
      ? { label: `${nextLabels[item.kind]} : ${next.titre}`, href: href(item.kind, next.id) }
      : onward && { label: onward.label, href: href(onward.type, onward.id) },
    again: outline
      .filter(({ verdict }) => verdict === 'a_revoir')
      .slice(0, maxNamed)
      .map(({ id, kind, titre }) => ({ titre, href: `${study}/entrainement?type=${kind}&item=${id}` })),
  };
}
