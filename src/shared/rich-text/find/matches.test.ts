import t from 'tap';
import { documentFromJson } from '../document.ts';
import { excerptOf, findMatches, replaceMatches } from './matches.ts';
import type { TextQuery } from './query.ts';

// Search and replacement in a text: by the server across a discipline, and by the editor within an item.

const query = (text: string, options: Partial<TextQuery> = {}): TextQuery => ({
  text,
  accents: false,
  capitals: false,
  wholeWords: false,
  formulas: false,
  ...options,
});
type Piece = string | { formula: string } | { text: string; bold: true };
const inline = (piece: Piece) =>
  typeof piece === 'string'
    ? { type: 'text', text: piece }
    : 'formula' in piece
      ? { type: 'formula', attrs: { latex: piece.formula } }
      : { type: 'text', text: piece.text, marks: [{ type: 'strong' }] };
const paragraph = (...pieces: Piece[]) => ({ type: 'paragraph', content: pieces.map(inline) });
const doc = (...content: object[]) => documentFromJson({ type: 'doc', content });
const found = (pieces: Piece[], sought: string, options?: Partial<TextQuery>): string[] => {
  const document = doc(paragraph(...pieces));
  return findMatches(document, query(sought, options)).map((match) => excerptOf(document, match).found);
};

t.test('accents, capitals and ligatures count only where asked', async (t) => {
  const text = ['Été, ete, ÉTÉ, e\u0301te\u0301'];
  t.same(found(text, 'ete'), ['Été', 'ete', 'ÉTÉ', 'e\u0301te\u0301']);
  t.same(found(text, 'été', { accents: true }), ['Été', 'ÉTÉ', 'e\u0301te\u0301']);
  t.same(found(text, 'été', { accents: true, capitals: true }), ['e\u0301te\u0301']);
  t.same(found(text, 'Ete', { capitals: true }), ['Été']);
  t.same(found(['Œuvre et oeuvre, cœur'], 'oeuvre'), ['Œuvre', 'oeuvre']);
  t.same(found(['œil'], 'o'), [], 'a part of a ligature is no match');
  t.same(found(['œil'], 'oe', { accents: true }), []);
  t.same(found(['e\u0301te'], 'e', { accents: true }), ['e'], 'a letter without its accent is another letter');
});

t.test('signs that look alike are one: apostrophes, spaces, hyphens; invisible signs are none', async (t) => {
  t.same(found(["L’aire et l'aire"], "l'aire"), ['L’aire', "l'aire"]);
  t.same(found(['Soit\u00a0: oui'], 'soit : oui', { accents: true }), ['Soit\u00a0: oui']);
  t.same(found(['équa\u00adtion, sous‑ensemble'], 'equation'), ['équa\u00adtion']);
  t.same(found(['sous‑ensemble'], 'sous-ensemble'), ['sous‑ensemble']);
});

t.test('whole words', async (t) => {
  t.same(found(['mai, maison, jamais, Mai.'], 'mai', { wholeWords: true }), ['mai', 'Mai']);
  t.same(found(['été étés'], 'été', { wholeWords: true, accents: true }), ['été']);
  t.same(found(['a+b et ba+b'], '+b', { wholeWords: true }), ['+b', '+b'], 'a sign that is no letter ends every word');
  t.same(found(['𝑥1 et x1'], '1', { wholeWords: true }).length, 0);
});

t.test('a match may run through marks, never through a formula; formulas are searched only where asked', async (t) => {
  const pieces: Piece[] = ['la li', { text: 'mi', bold: true }, 'te de ', { formula: 'u_n limite' }, ' limite'];
  const document = doc(paragraph(...pieces));
  const matches = findMatches(document, query('limite'));
  t.equal(matches.length, 2);
  t.same(excerptOf(document, matches[0] as never), { before: 'la ', found: 'limite', after: ' de … limite' });
  const all = findMatches(document, query('limite', { formulas: true }));
  t.same(
    all.map(({ latex }) => latex),
    [undefined, { from: 4, to: 10 }, undefined],
  );
  t.same(found(['de ', { formula: 'x' }, ' de'], 'de  de'), []);
  const replaced = replaceMatches(document, matches, 'borne');
  t.same(replaced.toJSON(), doc(paragraph('la borne de ', { formula: 'u_n limite' }, ' borne')).toJSON());
  t.same(replaceMatches(document, all, '\\lim').child(0).child(1).attrs.latex, 'u_n \\lim');
});

t.test('the replacement has the marks of what it replaces, may be empty, and leaves no invalid formula', async (t) => {
  const document = doc(paragraph({ text: 'Vrai', bold: true }, ' faux'), { type: 'formula_block', attrs: { latex: 'xx' } });
  t.same(
    replaceMatches(document, findMatches(document, query('vrai')), 'Juste')
      .child(0)
      .child(0)
      .toJSON(),
    {
      type: 'text',
      text: 'Juste',
      marks: [{ type: 'strong' }],
    },
  );
  t.equal(replaceMatches(document, findMatches(document, query(' faux')), '').child(0).textContent, 'Vrai');
  const formula = findMatches(document, query('xx', { formulas: true }));
  t.equal(formula.length, 1);
  t.ok(replaceMatches(document, formula, '').eq(document), 'a formula is never emptied');
});

t.test('attributes of questions stay, and their keys are not searched where that is asked', async (t) => {
  const part = (type: string, text: string) => ({ type, content: [paragraph(text)] });
  const document = doc({
    type: 'question',
    attrs: { id: 'question0001', kind: 'one', value: 'juin' },
    content: [
      part('question_statement', 'Quel mois suit juin ?'),
      {
        type: 'question_choice',
        attrs: { id: 'choix0000001', right: true },
        content: [paragraph('après juin'), part('question_remark', 'juin')],
      },
      part('question_explanation', 'Voyez juin.'),
    ],
  });
  t.equal(findMatches(document, query('juin')).length, 4);
  const matches = findMatches(document, query('juin'), { withKeys: false });
  t.equal(matches.length, 2);
  const replaced = replaceMatches(document, matches, 'mai');
  t.match(replaced.child(0).attrs, { id: 'question0001', value: 'juin' });
  t.match(replaced.child(0).child(1).attrs, { id: 'choix0000001', right: true });
  t.equal(replaced.textContent, 'Quel mois suit mai ?après maijuinVoyez juin.');
});

t.test('an empty or invisible query finds nothing, and adjacent matches do not overlap', async (t) => {
  t.same(found(['aaaa'], 'aa'), ['aa', 'aa']);
  t.same(found(['texte'], ''), []);
  t.same(found(['texte'], '\u200b'), []);
});
