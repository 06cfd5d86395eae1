/** The first part of a figure; group 2 is its picture's address. */
const picture = /<figure>(<img src="([^"]*)"(?:[^>"]*"[^"]*")*[^>]*>)/g;

/** Returns a text with each figure linked to its picture, which opens large. */
export const withFigureLinks = (html: string): string => html.replaceAll(picture, '<figure><a href="$2" title="Agrandir la figure">$1</a>');
