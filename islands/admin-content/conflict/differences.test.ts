import t from 'tap';
import { documentFromJson } from '../../../src/shared/rich-text/document.ts';
import { differencesOf } from './differences.ts';

const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (words: string, ...marks: string[]) => ({ type: 'text', text: words, marks: marks.map((type) => ({ type })) });
const formula = (latex: string) => ({ type: 'formula', attrs: { latex } });
const document = (...content: object[]) => documentFromJson({ type: 'doc', content });
/** Writes the differences in a line: -removed-, +added+. */
const told = (before: object[], after: object[]) =>
  differencesOf(document(...before), document(...after)).map((difference) => {
    if (difference.what === 'same') return difference.blocks;
    if (difference.what !== 'changed') return difference.what === 'removed' ? `-${difference.text}-` : `+${difference.text}+`;
    return difference.words?.map(({ value, added, removed }) => (added ? `+${value}+` : removed ? `-${value}-` : value)).join('') ?? 'form';
  });

const one = paragraph(text('Une suite est une fonction.'));
const two = paragraph(text('Elle converge vers zéro.'));
const three = paragraph(text('Fin du cours.'));

t.test('common blocks are counted, other blocks are shown in place', async (t) => {
  t.same(told([one, two, three], [one, two, three]), [3]);
  t.same(told([one, three], [one, two, three]), [1, '+Elle converge vers zéro.+', 1]);
  t.same(told([one, two, three], [one, three]), [1, '-Elle converge vers zéro.-', 1]);
  t.same(told([one], [two, one]), ['+Elle converge vers zéro.+', 1]);
});

t.test('a changed block is compared word by word, and a block with nothing in common counts as another block', async (t) => {
  t.same(told([one, two], [one, paragraph(text('Elle converge vers un.'))]), [1, 'Elle converge vers -zéro-+un+.']);
  t.same(told([two], [three]), ['-Elle converge vers zéro.-', '+Fin du cours.+']);
  t.same(told([one, two, three], [paragraph(text('Une série est une somme.')), three]), [
    'Une -suite-+série+ est une -fonction-+somme+.',
    '-Elle converge vers zéro.-',
    1,
  ]);
});

t.test('formulas are compared as LaTeX, and a change of format alone is a difference', async (t) => {
  t.same(told([paragraph(text('Soit '), formula('u_n'), text('.'))], [paragraph(text('Soit '), formula('v_n'), text('.'))]), [
    'Soit $-u_n-+v_n+$.',
  ]);
  t.same(told([one], [paragraph(text('Une suite est une fonction.', 'strong'))]), ['form']);
  t.same(told([{ type: 'horizontal_rule' }], [{ type: 'formula_block', attrs: { latex: 'x^2' } }]), ['-[Ligne]-', '+$x^2$+']);
});
