import { Migration } from '@mikro-orm/migrations';

/**
 * Restoring a backup and applying replication run without a search_path, so functions do not find unqualified names in their bodies.
 * A SQL-standard body resolves its names once, at creation, and can still be inlined. The other functions get the current search_path.
 */
export class FunctionsNameWhatTheyNeed extends Migration {
  override name = '20261122100500-functions-name-what-they-need';

  override up(): void {
    this.addSql(`
      create or replace function plain_text(html text) returns text language sql immutable parallel safe
        return left(regexp_replace(
          replace(replace(replace(replace(replace(
            regexp_replace(regexp_replace(regexp_replace(coalesce(html, ''),
              '<math[ >].*?</math>', ' ', 'g'), '</?(sub|sup|strong|em|u|s|a|code|span)( [^>]*)?>', '', 'g'), '<[^>]*>', ' ', 'g'),
            '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'),
          '\\s+', ' ', 'g'), 150000);`);
    this.addSql(`
      create or replace function passage_text(html text) returns text language sql immutable parallel safe
        return plain_text(regexp_replace(regexp_replace(regexp_replace(regexp_replace(translate(coalesce(html, ''), U&'\\E002', ''),
          ' data-latex="[^"]*"[^>]*><math[^>]*><m([ion])[^>]*>([^<]*)</m\\1></math>', '>\\2', 'g'),
          '<math[ >].*?</math>', '', 'g'),
          ' data-latex="([^"\\\\]{1,40})"[^>]*></', '>\\1</', 'g'),
          ' data-latex="[^"]*"[^>]*></', U&'>\\E002</', 'g'));`);
    for (const signature of lookingAround) this.addSql(`alter function ${signature} set search_path from current;`);
  }

  /** The two SQL functions are not restored: their new bodies return the same as the earlier ones. */
  override down(): void {
    for (const signature of lookingAround) this.addSql(`alter function ${signature} reset search_path;`);
  }
}

/** The functions in PL/pgSQL. */
const lookingAround = [
  'refuse_change()',
  'count_outline_change()',
  'count_document_change()',
  'passage_piece(text, text[], int)',
  'passage(text, text, int, text, text)',
];
