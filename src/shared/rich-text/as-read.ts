import { withFrenchSpaces } from './french-spaces.ts';

/** Stored HTML as readers get it: French spaces, and without the LaTeX of its formulas, which is the editor's. */
export const asRead = (html: string): string =>
  withFrenchSpaces(html).replaceAll(/(<(?:span|div) class="formula(?:-block)?") data-latex="[^"]*"/g, '$1');

/** An item with its texts as readers get them. */
export const itemAsRead = <Item extends { contenu: string; corrige: string | null }>(item: Item): Item => ({
  ...item,
  contenu: asRead(item.contenu),
  corrige: item.corrige === null ? null : asRead(item.corrige),
});
