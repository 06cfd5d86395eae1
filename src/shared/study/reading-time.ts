/** Visible characters read per minute: about 170 French words, for a text that is studied. */
const charactersPerMinute = 1_000;

/** Matches a tag of canonical HTML. Quoted attributes may contain `>`. The same expression works in PostgreSQL. */
const tag = '<[^>"]*("[^"]*"[^>"]*)*>';
const tags = new RegExp(tag, 'g');

/** Returns the reading time of a text, in minutes, at least 1. */
export const readingMinutes = (html: string): number => Math.max(1, Math.round(html.replaceAll(tags, '').length / charactersPerMinute));

/** Returns SQL: the reading time of a text, in minutes, like `readingMinutes`. @param html SQL of the text */
export const readingMinutesSql = (html: string): string =>
  `greatest(1, round(length(regexp_replace(${html}, '${tag}', '', 'g')) / ${charactersPerMinute}.0))::int`;
