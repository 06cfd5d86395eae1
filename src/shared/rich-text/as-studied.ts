import { withPlan } from './plan.ts';

/** The first part of a figure; group 2 is its picture's address. */
const picture = /<figure>(<img src="([^"]*)"(?:[^>"]*"[^"]*")*[^>]*>)/g;

/** Returns a text with each figure linked to its picture, which opens large. */
export const withFigureLinks = (html: string): string => html.replaceAll(picture, '<figure><a href="$2" title="Agrandir la figure">$1</a>');

/**
 * Returns an item's texts as the study page shows them: each figure is linked to its picture, which opens large, and the text has its plan.
 * @param texts as read (`asRead`)
 */
export const asStudied = <Correction extends string | null>(texts: { contenu: string; corrige: Correction }) => ({
  contenu: withPlan(withFigureLinks(texts.contenu)),
  corrige: (texts.corrige === null ? null : withFigureLinks(texts.corrige)) as Correction,
});
