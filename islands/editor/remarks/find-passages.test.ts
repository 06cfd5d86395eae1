import type { Node } from 'prosemirror-model';
import t from 'tap';
import { documentFromJson } from '../../../src/shared/rich-text/document.ts';
import { besidePassage, excerpt, placeAfter, unreadableFormula, withoutPassage } from '../../../src/shared/rich-text/remark-forms.ts';
import { findPassages, wantedPassages } from './find-passages.ts';

// Where the remarks on an import stand: at the block that holds the passage they quote.

type Piece = string | { latex: string };
const paragraph = (...pieces: Piece[]) => ({
  type: 'paragraph',
  content: pieces.map((piece) => (typeof piece === 'string' ? { type: 'text', text: piece } : { type: 'formula', attrs: piece })),
});
const doc = (...content: object[]) => documentFromJson({ type: 'doc', content });
const cell = (...content: object[]) => ({ type: 'table_row', content: [{ type: 'table_cell', content }] });
const item = (...content: object[]) => ({ type: 'list_item', content });
const textOf = (block: Node | undefined) => block?.textBetween(0, block.content.size, '', '*');
type Doc = ReturnType<typeof doc>;

/** Returns the text of the block of each passage, 'nowhere' if it is not found, with the number of the document if it is not the first. */
function placed(docs: Doc | Doc[], ...remarks: string[]): string[] {
  const wanted = wantedPassages(remarks);
  const found = findPassages([docs].flat(), wanted);
  return wanted.map(({ key }) => {
    const block = found.get(key);
    return block ? `${block.doc || ''}${block.node.attrs.latex ?? textOf(block.node)}` : 'nowhere';
  });
}
const equations = (...places: string[]) =>
  `${places.length} équations d'un ancien éditeur (Equation 3.0 ou MathType) que le site ne sait pas lire, ${places.join(', ')} : à retaper avec l'outil Formule.`;
const refused = (latex: string) => `${unreadableFormula}${excerpt(latex)} (commande inconnue : \\foo)`;

t.test('a place after a text: its paragraph, and that which begins so if the text is all that was before', async (t) => {
  const text = doc(paragraph('Rappel : Soit'), paragraph('Soit la fonction'), {
    type: 'heading',
    attrs: { level: 2 },
    content: [{ type: 'text', text: 'Fin' }],
  });
  t.same(placed(text, equations(placeAfter('Soit '))), ['Soit la fonction']);
  t.same(placed(text, equations(placeAfter('Fin'), placeAfter('Rappel : '))), ['Fin', 'Rappel : Soit']);
  const long = 'On considère la suite définie pour tout entier naturel par la relation';
  t.same(placed(doc(paragraph('relation'), paragraph(`${long} suivante`)), equations(placeAfter(long))), [`${long} suivante`]);
  t.same(placed(text, equations(placeAfter('Absent'))), ['nowhere']);
});

t.test('formulas within the quoted text, spaces of any kind, tables and lists', async (t) => {
  const before = 'Soit\u00a0x   et y';
  const text = doc(
    { type: 'table', content: [cell(paragraph('un'), paragraph('Soit x', { latex: 'x_1' }, ' et y ', { latex: 'y' }))] },
    { type: 'bullet_list', content: [item(paragraph('deux'), paragraph('trois quatre'))] },
  );
  t.same(placed(text, equations(placeAfter(before), placeAfter('trois'))), ['Soit x* et y *', 'trois quatre']);
});

t.test('equal passages are given to the remarks one after the other; there are no more notes than passages', async (t) => {
  const text = [doc(paragraph('Soit A'), paragraph('Soit B')), doc(paragraph('Soit C'))];
  const place = placeAfter('Soit');
  t.same(placed(text, equations(place, place, place, place)), ['Soit A', 'Soit B', '1Soit C', 'nowhere']);
  const formulas = doc(paragraph('a', { latex: '\\foo' }, { latex: '\\foo' }), paragraph('b', { latex: '\\foo' }));
  const lines = ['Ligne 1', 'Ligne 2', 'Ligne 3'].map((line) => `${line} : Commande inconnue : \\foo`);
  t.same(placed(formulas, ...lines), ['a**', 'a**', 'b*']);
});

t.test('a formula that is kept: by its excerpt, also a cut one, and only the same formula', async (t) => {
  const long = `\\foo{${'x+'.repeat(60)}}`;
  const text = doc(paragraph('a', { latex: '\\foo{x}' }), paragraph('b', { latex: '\\foo' }), {
    type: 'formula_block',
    attrs: { latex: long },
  });
  t.same(placed(text, refused('\\foo')), ['b*']);
  t.same(placed(text, refused(long), `${refused('\\foo{x}')} (2 fois)`), [long, 'a*']);
  t.same(placed(text, refused('\\autre')), ['nowhere']);
});

t.test('a source that is kept as text: after the last reason, with colons in it, and cut', async (t) => {
  const text = doc(paragraph('On a $\\bar : x$ ici'), paragraph('puis \\begin{tikz} et la suite du dessin'));
  t.same(placed(text, 'Ligne 4 : Commande inconnue : \\bar : \\bar : x'), ['On a $\\bar : x$ ici']);
  t.same(placed(text, 'chapitre.tex, ligne 9 : Environnement inconnu : \\begin{tikz} et la...'), [
    'puis \\begin{tikz} et la suite du dessin',
  ]);
  t.same(placed(text, '1 équation que le site ne sait pas montrer : son texte est repris, à retaper (et la suite (du) dessin).'), [
    'nowhere',
  ]);
  t.same(placed(text, '2 équations que le site ne sait pas montrer : son texte est repris, à retaper (la suite du).'), [
    'puis \\begin{tikz} et la suite du dessin',
  ]);
});

t.test('a remark on the whole document stands beside no passage', async (t) => {
  const text = doc(paragraph('Suites'), paragraph('Corrigé'), paragraph('3 fois'));
  for (const remark of [
    'Le premier titre, « Suites », est devenu le titre.',
    'Le texte qui suit le titre « Corrigé » est devenu le corrigé.',
    '2 images au-delà de 200 : à ajouter à la main.',
    'Ligne 3 : Case à cocher devenue un signe (☐ ou ☒)',
  ])
    t.same(placed(text, remark), [], remark);
});

t.test('a question that cannot be asked', async (t) => {
  const question = (statement: string, ...right: boolean[]) => ({
    type: 'question',
    attrs: { id: null, kind: 'one' },
    content: [
      { type: 'question_statement', content: [paragraph(statement)] },
      ...right.map((isRight, index) => ({
        type: 'question_choice',
        attrs: { id: null, right: isRight },
        content: [paragraph(`c${index}`)],
      })),
    ],
  });
  const text = doc(question('Bonne', true, false), question('Sans juste', false, false));
  const remark = (number: number) => `Question ${number} : aucun choix juste. Elle n'est pas montrée aux candidats.`;
  t.same(placed(text, remark(2)), ['Sans justec0c1']);
  t.same(placed(text, remark(1)), ['nowhere'], 'a question that can be asked meanwhile');
});

t.test('shown passages keep their block; a lost one is found again by its block, else by its text', async (t) => {
  const remarks = [refused('\\foo'), `${unreadableFormula}\\foo (autre raison)`];
  const wanted = wantedPassages(remarks);
  const before = doc(paragraph('a', { latex: '\\foo' }), paragraph('b', { latex: '\\foo' }));
  const [first = '', second = ''] = wanted.map(({ key }) => key);
  const found = findPassages([before], wanted);
  const without = doc(paragraph('b', { latex: '\\foo' }));
  const [b, a] = [found.get(second), found.get(first)];
  const kept = findPassages(
    [without],
    wanted,
    new Map([[second, { doc: 0, pos: 0, node: without.child(0) }]]),
    new Map([[first, a?.node as never]]),
  );
  t.same([kept.has(first), kept.get(second)?.pos], [false, 0], 'the other passage is not taken for the deleted one');
  // The formula of the second paragraph was mended before it was deleted and brought back.
  const mended = doc(paragraph('x'), paragraph('b', { latex: 'y' }));
  const again = findPassages([mended], wanted, new Map(), new Map([[second, mended.child(1)]]));
  t.equal(textOf(again.get(second)?.node), 'b*');
  t.notOk(again.has(first));
  t.equal(textOf(b?.node), 'b*');
});

t.test('a place that is settled alone stays named in its remark, until all are', async (t) => {
  const remark = equations(placeAfter('Un'), placeAfter('Deux'));
  const text = doc(paragraph('Un'), paragraph('Deux'));
  const left = withoutPassage(remark, 0);
  t.equal(left, equations('après « Un » (réglé)', 'après « Deux »'));
  t.same(placed(text, left ?? ''), ['Deux']);
  t.equal(wantedPassages([left ?? ''])[0]?.key, wantedPassages([remark])[1]?.key);
  t.equal(withoutPassage(left ?? '', 1), null);
  const other = equations(placeAfter('Un'), placeAfter(''));
  t.equal(withoutPassage(other, 0), equations('après « Un » (réglé)', 'en début de paragraphe'));
  t.equal(withoutPassage(refused('\\foo'), 0), null);
  t.match(besidePassage(remark), /ne sait pas lire, ici et ailleurs : à retaper/);
  t.match(besidePassage(equations(placeAfter('Un'))), /ne sait pas lire, ici : à retaper/);
  t.equal(besidePassage(refused('\\foo')), refused('\\foo'));
});
