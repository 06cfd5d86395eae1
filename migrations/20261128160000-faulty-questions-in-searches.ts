import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** The text that searches read leaves out questions with a fault, which learners do not see. */
export class FaultyQuestionsInSearches extends OnlineMigration {
  override name = '20261128160000-faulty-questions-in-searches';

  override async up(): Promise<void> {
    await this.replaceFunction(
      `regexp_replace(html, '<section class="question"[^>]* data-unusable=(?:(?!</section>).)*</section>', ' ', 'g')`,
    );
    await this.writeTextsAnew();
  }

  override async down(): Promise<void> {
    await this.replaceFunction('html');
    await this.writeTextsAnew();
  }

  private async replaceFunction(read: string): Promise<void> {
    await this.execute(`
      create or replace function passage_text(html text) returns text language sql immutable parallel safe
        return plain_text(regexp_replace(replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(translate(coalesce(${read}, ''), U&'\\E002\\E003\\E004\\2061', ''),
          ' data-latex="[^"]*"[^>]*><code>[^<]*</code>', U&'>\\E002', 'g'),
          '(<mo[^>]*>[∘°∗*]</mo>|<mo[^>]*tml-prime[^>]*>′</mo>(</mrow>)?)</msup>', '\\1', 'g'),
          '<math[ >](?:(?!</math>|<mphantom>).)*</(?:mfrac|msup|msub|msubsup|msqrt|mroot|munder|munderover|mtable)>(?:(?!</math>|<mphantom>).)*</math>', U&'\\E002', 'g'),
          '<math( [^>]*)?>', U&'\\E003', 'g'), '</math>', U&'\\E004'), '</?m[a-z]+( [^>]*)?>', '', 'g'));`);
  }

  /** Writes the few texts with a faulty question anew. Servers write their search words again. */
  private async writeTextsAnew(): Promise<void> {
    const faulty = 'select item_id from question where not usable and position is not null';
    await this.updateInBatches({ table: 'item', where: `id in (${faulty})`, set: 'contenu = contenu' });
    await this.updateInBatches({ table: 'item_words', key: 'item_id', where: `item_id in (${faulty})`, set: 'words = null' });
  }
}
