import { Migration } from '@mikro-orm/migrations';

/** The text that searches read leaves out questions with a fault, which learners do not see. */
export class FaultyQuestionsInSearches extends Migration {
  override name = '20261128160000-faulty-questions-in-searches';

  override up(): void {
    this.replaceFunction(`regexp_replace(html, '<section class="question"[^>]* data-unusable=(?:(?!</section>).)*</section>', ' ', 'g')`);
    this.writeTextsAnew();
  }

  override down(): void {
    this.replaceFunction('html');
    this.writeTextsAnew();
  }

  private replaceFunction(read: string): void {
    this.addSql(`
      create or replace function passage_text(html text) returns text language sql immutable parallel safe
        return plain_text(regexp_replace(replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(translate(coalesce(${read}, ''), U&'\\E002\\E003\\E004\\2061', ''),
          ' data-latex="[^"]*"[^>]*><code>[^<]*</code>', U&'>\\E002', 'g'),
          '(<mo[^>]*>[∘°∗*]</mo>|<mo[^>]*tml-prime[^>]*>′</mo>(</mrow>)?)</msup>', '\\1', 'g'),
          '<math[ >](?:(?!</math>|<mphantom>).)*</(?:mfrac|msup|msub|msubsup|msqrt|mroot|munder|munderover|mtable)>(?:(?!</math>|<mphantom>).)*</math>', U&'\\E002', 'g'),
          '<math( [^>]*)?>', U&'\\E003', 'g'), '</math>', U&'\\E004'), '</?m[a-z]+( [^>]*)?>', '', 'g'));`);
  }

  /** Only the few texts with a faulty question. Servers write their search words again. */
  private writeTextsAnew(): void {
    this.addSql(`update item set contenu = contenu where id in (select item_id from question where not usable and position is not null);`);
    this.addSql(
      `update item_words set words = null where item_id in (select item_id from question where not usable and position is not null);`,
    );
  }
}
