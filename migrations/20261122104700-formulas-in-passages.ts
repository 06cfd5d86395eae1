import { Migration } from '@mikro-orm/migrations';

/**
 * Passages show a formula as what is read in a line (src/shared/formulas/linear.ts), which its elements say one after the other, between U+E003 and U+E004: a
 * passage may be cut within. U+E002 stands for what cannot be read so: LaTeX that could not be drawn, and formulas drawn before their elements said it, until
 * their text is saved again.
 */
export class FormulasInPassages extends Migration {
  override name = '20261122104700-formulas-in-passages';

  override up(): void {
    // Without signs a formula reads right when it is a row, or has primes, degrees and stars for exponents.
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
