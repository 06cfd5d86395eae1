import { withFrenchSpaces } from './french-spaces.ts';

/** Returns stored HTML as readers get it: with French spaces, and without the formulas' LaTeX, which only the editor needs. */
export const asRead = (html: string): string =>
  withFrenchSpaces(html).replaceAll(/(<(?:span|div) class="formula(?:-block)?") data-latex="[^"]*"/g, '$1');

/** Returns an item with its texts as readers get them. */
export const itemAsRead = <Item extends { contenu: string; corrige: string | null }>(item: Item): Item => ({
  ...item,
  contenu: asRead(item.contenu),
  corrige: item.corrige === null ? null : asRead(item.corrige),
});
