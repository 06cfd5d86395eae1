/**
 * Stored HTML as it is shown: between a formula, with a bracket that closes after it, and the mark that French sets apart from it, the
 * author's space does not break.
 * What is stored keeps that space.
 */
export const withFormulaMarks = (html: string): string => html.replaceAll(/(<\/math><\/span>(?:<\/\w+>)*[)\]]?) (?=[;:!?»])/g, '$1&nbsp;');
