import { type ItemKind, itemKinds } from '../item-kinds.ts';
import { onwardFrom } from '../study-order.ts';
import { studyKinds } from './kinds.ts';
import { type PlacedItem, prepaHref, studyHref } from './place.ts';
import { describeMark, formatSpent } from './points.ts';
import { describeProgress } from './progress.ts';
import type { OutlineEntry } from './study-page.ts';
import type { Verdict } from './verdicts.ts';

/** An item of a discipline with the learner's result. */
export interface OutcomeEntry extends OutlineEntry {
  finished: boolean;
  /** Mark of the last practice; null without one, and if the item no longer has a correction. */
  verdict: Verdict | null;
}

/** Number of items to review that are named here; the review list has all of them. */
const maxNamed = 5;

/** Title of one line, and what it means. */
const marked: Record<Verdict, { said: string; more: string }> = {
  reussi: { said: 'Réussi', more: 'Bravo ! Votre entraînement est noté.' },
  a_revoir: { said: 'À revoir', more: "Vous le retrouverez dans la liste 'À revoir'." },
};

/** The mark that was given with the last verdict. */
export interface OutcomeMark {
  points: number;
  possible: number;
  /** Time used, in seconds; null if it was not measured. */
  seconds: number | null;
}

const sayMark = ({ points, possible, seconds }: OutcomeMark) => ({
  note: describeMark(points, possible),
  spent: seconds === null ? null : formatSpent(seconds),
});

/**
 * Returns a learner's result for an item and the next steps, for `training/outcome`; null for an item that is neither finished nor marked.
 * @param mark the mark given with the last verdict; null without one, and on a device
 * @param session address of the daily session that the practice belongs to; null outside of one
 */
export function presentOutcome(
  outline: readonly OutcomeEntry[],
  item: OutcomeEntry,
  { prepaId, prepaNom, disciplineId, disciplineNom }: Pick<PlacedItem, 'prepaId' | 'prepaNom' | 'disciplineId' | 'disciplineNom'>,
  mark: OutcomeMark | null,
  session: string | null = null,
) {
  if (!item.finished && item.verdict === null) return null;
  const study = studyHref(prepaId, disciplineId);
  const sections = itemKinds.map((type) => ({ type, items: outline.filter(({ kind }) => kind === type) }));
  const own = outline.filter(({ kind }) => kind === item.kind);
  const next = own[own.indexOf(item) + 1];
  const onward = onwardFrom(sections, item.kind);
  const href = (type: ItemKind, id: number) => `${study}?type=${type}&item=${id}`;
  const { said, more } = item.verdict ? marked[item.verdict] : { said: studyKinds[item.kind].finished, more: 'Bravo !' };
  return {
    title: `${said} : ${item.titre}`,
    titre: item.titre,
    said,
    more,
    session,
    achieved: item.verdict !== 'a_revoir',
    /** The mark given with the verdict; null without one. */
    mark: item.verdict && mark && sayMark(mark),
    place: `${prepaNom} > ${disciplineNom}`,
    /** Address of the item's study page. */
    study: href(item.kind, item.id),
    /** Address of the prepa's disciplines. */
    disciplines: prepaHref(prepaId),
    counts: sections
      .filter(({ items }) => items.length > 0)
      .map(({ type, items }) => ({
        name: studyKinds[type].plural,
        said: describeProgress({
          done: items.filter(({ finished, verdict }) => finished && verdict !== 'a_revoir').length,
          toReview: items.filter(({ verdict }) => verdict === 'a_revoir').length,
          total: items.length,
        }),
      })),
    /** Form that undoes 'finished' for an item that was read; null for a marked practice. */
    reopen: item.verdict ? null : { action: `${study}/rouvert`, type: item.kind, item: item.id },
    next: next
      ? { label: `${studyKinds[item.kind].next} : ${next.titre}`, href: href(item.kind, next.id) }
      : onward && { label: onward.label, href: href(onward.type, onward.id) },
    again: outline
      .filter(({ verdict }) => verdict === 'a_revoir')
      .slice(0, maxNamed)
      .map(({ id, kind, titre }) => ({ titre, href: `${study}/entrainement?type=${kind}&item=${id}` })),
  };
}
