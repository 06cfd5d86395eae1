import { Migration } from '@mikro-orm/migrations';

/**
 * Passages show a formula as linear text (src/shared/formulas/linear.ts): the text of its elements in order, between U+E003 and U+E004,
 * because a passage may be cut inside a formula. U+E002 stands for a formula without linear text: its LaTeX could not be drawn, or it was
 * drawn before its elements had that text and has not been saved again.
 */
export class FormulasInPassages extends Migration {
  override name = '20261122104700-formulas-in-passages';

  override up(): void {
    // Older formulas without such text are still readable if they are a plain row, or have only primes, degrees or stars as exponents.
    this.addSql(`
      create or replace function passage_text(html text) returns text language sql immutable parallel safe
        return plain_text(regexp_replace(replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(translate(coalesce(html, ''), U&'\\E002\\E003\\E004\\2061', ''),
          ' data-latex="[^"]*"[^>]*><code>[^<]*</code>', U&'>\\E002', 'g'),
          '(<mo[^>]*>[∘°∗*]</mo>|<mo[^>]*tml-prime[^>]*>′</mo>(</mrow>)?)</msup>', '\\1', 'g'),
          '<math[ >](?:(?!</math>|<mphantom>).)*</(?:mfrac|msup|msub|msubsup|msqrt|mroot|munder|munderover|mtable)>(?:(?!</math>|<mphantom>).)*</math>', U&'\\E002', 'g'),
          '<math( [^>]*)?>', U&'\\E003', 'g'), '</math>', U&'\\E004'), '</?m[a-z]+( [^>]*)?>', '', 'g'));`);
    this.writeTextsAnew();
  }

  override down(): void {
    this.addSql(`
      create or replace function passage_text(html text) returns text language sql immutable parallel safe
        return plain_text(regexp_replace(regexp_replace(regexp_replace(regexp_replace(translate(coalesce(html, ''), U&'\\E002', ''),
          ' data-latex="[^"]*"[^>]*><math[^>]*><m([ion])[^>]*>([^<]*)</m\\1></math>', '>\\2', 'g'),
          '<math[ >].*?</math>', '', 'g'),
          ' data-latex="([^"\\\\]{1,40})"[^>]*></', '>\\1</', 'g'),
          ' data-latex="[^"]*"[^>]*></', U&'>\\E002</', 'g'));`);
    this.writeTextsAnew();
  }

  private writeTextsAnew(): void {
    this.addSql(`
      alter table item
        drop column texte, drop column texte_corrige,
        add texte text generated always as (passage_text(contenu)) stored,
        add texte_corrige text generated always as (passage_text(corrige)) stored;`);
  }
}
