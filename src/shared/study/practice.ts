import { withQuestionForms } from '../questions/asked.ts';
import { withFigureLinks } from '../rich-text/figure-links.ts';
import { type PlacedItem, presentPlace, studyHref } from './place.ts';
import { formatPoints } from './points.ts';
import { findScale } from './scale.ts';
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

/** The form with the points of a practice. */
export interface Marking {
  /** Idempotency key of the mark. */
  cle: string;
  /** The page was requested past the copy on the device (`?reseau=1`): the next page is, too. */
  byNetwork: boolean;
  /** The typed points and their faults, by the part's index, of a refused form. */
  typed: readonly string[];
  faults: Readonly<Record<string, string>>;
  /** A refusal that belongs to no part; null without one. */
  refusal: string | null;
}

/**
 * Returns a practice for `training/practice`. @param learner their identifier, so that learners on one device do not share a timer
 * @param marking null for a page of the copy on a device, which leads to the server's page for a mark
 * @param seance id of the daily session that the practice belongs to; null outside of one
 */
export function presentPractice(item: PracticeItem, learner: string, marking: Marking | null, seance: string | null = null) {
  const { id, kind, titre, duree, verdict } = item;
  const study = studyHref(item.prepaId, item.disciplineId);
  return {
    title: `Entraînement : ${titre}`,
    place: presentPlace(item),
    titre,
    type: kind,
    item: id,
    seance,
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
    contenu: withQuestionForms(withFigureLinks(item.contenu)),
    /** HTML of the correction, only after the learner has asked for it (?corrige=oui). */
    corrige: item.corrige === null ? null : withFigureLinks(item.corrige),
    /** Sent together with the correction. */
    documents: item.documents,
    /** The scale of the correction; null without one. */
    scale: presentScale(item, marking, seance),
    /** Mark of the last practice. */
    last: verdict && verdictLabels[verdict],
  };
}

function presentScale({ id, kind, prepaId, disciplineId, contenu, corrige }: PracticeItem, marking: Marking | null, seance: string | null) {
  const parts = corrige === null ? [] : findScale(corrige, contenu);
  if (parts.length === 0) return null;
  const study = studyHref(prepaId, disciplineId);
  return {
    /** Address of the server's page with the fields; null on that page. */
    online: marking ? null : `${study}/entrainement?type=${kind}&item=${id}&corrige=oui&reseau=1${seance ? `&seance=${seance}` : ''}#noter`,
    action: `${study}/note${marking?.byNetwork ? '?reseau=1' : ''}`,
    cle: marking?.cle ?? null,
    refusal: marking?.refusal ?? null,
    /** The scale that the fields are for: the server refuses points by another one. */
    bareme: scaleKey(parts),
    parts: parts.map(({ label, max }, index) => ({
      label,
      max,
      out: `sur ${formatPoints(max)}`,
      typed: marking?.typed[index] ?? '',
      fault: marking?.faults[index] ?? null,
    })),
  };
}

/** Returns a text that is the same for equal maxima. */
export const scaleKey = (parts: readonly { max: number }[]): string => parts.map(({ max }) => max).join(';');
