import { unescapeHtml } from '../../src/shared/escapes.ts';
import { squeeze } from './app.ts';

/** Returns the text of a page's main part, with white space collapsed. */
export const readText = (html: string): string =>
  squeeze(
    unescapeHtml(
      html
        .slice(html.indexOf('<main'), html.indexOf('</main>'))
        .replaceAll(/<\/?(?:a|b|em|span|strong)(?:>| [^>]*>)/g, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&#39;', "'"),
    ),
  ).replaceAll(/ (?=[.,])/g, '');
