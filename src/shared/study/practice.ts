import { type PlacedItem, presentPlace, studyHref } from './place.ts';
import type { AttachedDocument } from './study-page.ts';
import type { Verdict } from './verdicts.ts';

/** What one may choose from when a subject does not say how long it takes, in minutes. */
const durations = [15, 30, 60, 120, 180];
const verdictLabels: Record<Verdict, string> = { reussi: 'réussi', a_revoir: 'à revoir' };

/** An exercise or a past subject taken as practice, its texts as readers get them. */
export interface PracticeItem extends PlacedItem {
  /** Minutes that the exam gives; null: not said. */
  duree: number | null;
  contenu: string;
  /** Null until it is asked for. */
  corrige: string | null;
  /** With the correction, which they may hold. */
  documents: Pick<AttachedDocument, 'nom' | 'url'>[];
  /** Of the last time; null before the first. */
  verdict: Verdict | null;
  markedAt: Date | null;
}

/** A practice as `content/practice` shows it. @param learner names them, so that the timer of one is not that of another */
export function presentPractice(item: PracticeItem, learner: string) {
  const { id, kind, titre, duree, verdict } = item;
  const study = studyHref(item.prepaId, item.disciplineId);
  return {
    title: `Entraînement : ${titre}`,
    place: presentPlace(item),
    titre,
    type: kind,
    item: id,
    /** The study page of the item. */
    study: `${study}?type=${kind}&item=${id}`,
    /** This page without its query string. */
    base: `${study}/entrainement`,
    /** Names this practice of this learner, until it is marked; the timer keeps its time under this name. */
    run: [learner, id, item.markedAt?.getTime() ?? 0].join('.'),
    /** Advised minutes. */
    duree,
    /** Minutes to choose from. */
    durations: [...new Set([...durations, ...(duree === null ? [] : [duree])])].sort((one, other) => one - other),
    /** HTML of the text. */
    contenu: item.contenu,
    /** HTML of the correction once it has been asked for (?corrige=oui): it is not in the page before. */
    corrige: item.corrige,
    /** With the correction. */
    documents: item.documents,
    /** What it was the time before. */
    last: verdict && verdictLabels[verdict],
  };
}
