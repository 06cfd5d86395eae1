import { withFigureLinks } from '../rich-text/figure-links.ts';
import { withPlan } from '../rich-text/plan.ts';

/**
 * Returns an item's texts as the study page shows them: each figure is linked to its picture, which opens large, and the text has its plan.
 * @param texts as read (`asRead`)
 */
export const asStudied = <Correction extends string | null>(texts: { contenu: string; corrige: Correction }) => ({
  contenu: withPlan(withFigureLinks(texts.contenu)),
  corrige: (texts.corrige === null ? null : withFigureLinks(texts.corrige)) as Correction,
});
