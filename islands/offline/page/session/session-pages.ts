import { describePlan, presentEnd, presentSession } from '../../../../src/shared/revision/session-page.ts';
import { isDone, planPart, summaryOf } from '../../../../src/shared/revision/session-plan.ts';
import { asRead } from '../../../../src/shared/rich-text/as-read.ts';
import { withFigureLinks } from '../../../../src/shared/rich-text/figure-links.ts';
import type { StoredEntry } from '../../both/store/records.ts';
import type { KeptPrepa } from '../pages/kept-prepa.ts';
import type { KeptPage } from '../pages/present.ts';
import { currentSession, sessionsHref, weekOf } from './current.ts';
import { shownSession, studiedOf } from './kept-session.ts';
import { sessionViews as views } from './views.ts';

/** Returns an HTML part of a kept text as pages show it. */
export const shownHtml = (html: string): string => withFigureLinks(asRead(html));

/** Returns whether nothing is left of an open session of today. */
export function isSessionDone(prepa: KeptPrepa, now: Date): boolean {
  const current = currentSession(prepa.copy, now);
  return current !== null && current.finishedAt === null && isDone(shownSession(prepa, current));
}

/**
 * Returns the page of the session of the day, made from a kept prepa: before it begins, while it is open, or after its end.
 * @param prepa with `copy.revision` @param others further kept prepas with questions @param waiting unsent entries of this prepa
 */
export function presentSessionPage(
  prepa: KeptPrepa,
  others: readonly { id: number; nom: string }[],
  waiting: readonly StoredEntry[],
  now: Date,
): KeptPage {
  const { copy } = prepa;
  const time = copy.revision ?? { day: null, minutes: 15 };
  const week = weekOf(copy, now);
  const current = currentSession(copy, now);
  const otherSessions = others.map(({ id, nom }) => ({ href: sessionsHref(id), nom }));
  const page = <Locals extends { title: string }>(view: string, locals: Locals, mark: string): KeptPage => ({
    view,
    title: locals.title,
    locals: { ...locals, offline: true },
    mark,
    views,
  });
  if (!current) {
    const asked = planPart(studiedOf(prepa, waiting), time, now, 1);
    const start = {
      title: 'Séance du jour',
      plan: asked.length > 0 ? describePlan(asked) : null,
      prepaId: copy.id,
      prepaNom: copy.nom,
      week,
      others: otherSessions,
    };
    return page('/revision/session-start', start, 'start');
  }
  const shown = shownSession(prepa, current);
  if (current.finishedAt === null) {
    const { parts, ...locals } = presentSession(shown);
    const steps = locals.steps.map((step, index) => ({ ...step, html: shownHtml(parts[index] ?? '') }));
    return page('/revision/session', { ...locals, steps }, current.id);
  }
  const summary = summaryOf(studiedOf(prepa, waiting), shown, time, now);
  const end = presentEnd(shown, summary, { week: copy.revision?.week ?? [], day: time.day }, now);
  return page('/revision/session-end', { ...end, week, others: otherSessions, reminder: null, shareHref: null }, `${current.id} end`);
}
