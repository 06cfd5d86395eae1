import { escapeHtml } from '../../shared/escapes.ts';
import type { Letter } from './mailer.ts';

/** A paragraph of an e-mail, in both forms. */
export interface Paragraph {
  text: string;
  html: string;
}

/** Returns a paragraph of plain text. */
export const paragraph = (text: string): Paragraph => ({ text, html: `<p>${escapeHtml(text)}</p>` });

/** Returns a link in a paragraph of its own: in plain text the address alone, since mail programs make a link of it. */
export const linkParagraph = (label: string, href: string): Paragraph => ({
  text: href,
  html: `<p><a href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`,
});

/** Returns text and HTML of an e-mail. @param title of the HTML document; few mail programs show it */
export const composeLetter = (title: string, paragraphs: readonly Paragraph[]): Pick<Letter, 'text' | 'html'> => ({
  text: [...paragraphs.map(({ text }) => text), ''].join('\n\n'),
  html: [
    `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>`,
    ...paragraphs.map(({ html }) => html),
    '</body></html>',
  ].join('\n'),
});
