import { withFrenchSpaces } from './french-spaces.ts';

/** Stored HTML as readers get it: French spaces, and without the LaTeX of its formulas, which is the editor's. */
export const asRead = (html: string): string =>
  withFrenchSpaces(html).replaceAll(/(<(?:span|div) class="formula(?:-block)?") data-latex="[^"]*"/g, '$1');
