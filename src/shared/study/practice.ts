import { type PlacedItem, presentPlace, studyHref } from './place.ts';
import type { AttachedDocument } from './study-page.ts';
import type { Verdict } from './verdicts.ts';

/** Durations to choose from, in minutes, besides the subject's own. */
const durations = [15, 30, 60, 120, 180];
const verdictLabels: Record<Verdict, string> = { reussi: 'réussi', a_revoir: 'à revoir' };

/** An exercise or a past exam as practice, with its texts as readers get them. */
export interface PracticeItem extends PlacedItem {
  /** Duration of the exam in minutes; null if unknown. */
  duree: number | null;
  contenu: string;
  /** Null until the learner asks for the correction. */
  corrige: string | null;
  /** Sent together with the correction, which they may contain. */
  documents: Pick<AttachedDocument, 'nom' | 'url'>[];
  /** Mark of the last practice; null before the first. */
  verdict: Verdict | null;
  markedAt: Date | null;
}

/** Returns a practice for `training/practice`. @param learner their identifier, so that learners on one device do not share a timer */
export function presentPractice(item: PracticeItem, learner: string) {
  const { id, kind, titre, duree, verdict } = item;
  const study = studyHref(item.prepaId, item.disciplineId);
  return {
    title: `Entraînement : ${titre}`,
    place: presentPlace(item),
    titre,
    type: kind,
    item: id,
    /** Address of the item's study page. */
    study: `${study}?type=${kind}&item=${id}`,
    /** Address of this page, without its query string. */
    base: `${study}/entrainement`,
    /** Key of this practice of this learner until it is marked; the timer stores its time under this key. */
    run: [learner, id, item.markedAt?.getTime() ?? 0].join('.'),
    /** Advised duration, in minutes. */
    duree,
    /** Durations to choose from, in minutes. */
    durations: [...new Set([...durations, ...(duree === null ? [] : [duree])])].sort((one, other) => one - other),
    contenu: item.contenu,
    /** HTML of the correction, only after the learner has asked for it (?corrige=oui). */
    corrige: item.corrige,
    /** Sent together with the correction. */
    documents: item.documents,
    /** Mark of the last practice. */
    last: verdict && verdictLabels[verdict],
  };
}
