import t from 'tap';
import type { ItemKind } from '../../../../src/shared/item-kinds.ts';
import { formulas, marked } from '../../../../src/shared/study/search-page.ts';
import type { KeptPrepa } from './kept-prepa.ts';
import { searchKept } from './search.ts';

interface Text {
  titre: string;
  contenu?: string;
  corrige?: string;
}

function prepaOf(...texts: Text[]): KeptPrepa {
  const items = texts.map(({ titre, contenu = '', corrige = null }, index) => ({
    id: index + 1,
    kind: 'exercise' as ItemKind,
    titre,
    annee: null,
    duree: null,
    version: 1,
    contenu,
    corrige,
    pictures: [],
    documents: [],
    prepa: 1,
    discipline: 1,
  }));
  const discipline = {
    id: 1,
    nom: 'Maths',
    description: '',
    image: null,
    prepa: 1,
    place: 0,
    items: items.map(({ id, version }) => ({ id, version })),
  };
  return {
    copy: { id: 1, nom: 'ENS' } as KeptPrepa['copy'],
    disciplines: [discipline],
    items: new Map(items.map((item) => [item.id, item])),
    marks: new Map(),
  };
}

/** Returns the found items; matches in passages are marked by brackets. */
const find = (q: string, ...texts: Text[]) =>
  searchKept(prepaOf(...texts), q).map(({ hit, passage }) => ({
    titre: hit.titre,
    inCorrige: hit.inCorrige,
    passage: passage
      .replaceAll(marked.start, '[')
      .replaceAll(marked.stop, ']')
      .replaceAll(new RegExp(`[${formulas.start}${formulas.stop}]`, 'g'), ''),
  }));

t.test('an item is found when its title and text together contain all words', async (t) => {
  const both = { titre: 'Suites', contenu: '<p>La limite.</p>' };
  t.same(
    find('limite suite', both, { titre: 'Limite', contenu: '<p>Sans rien.</p>' }).map(({ titre }) => titre),
    ['Suites'],
  );
  t.same(find('suite intégrale', both), []);
});

t.test('accents, capitals, plural and feminine forms are ignored', async (t) => {
  const said = (word: string) => ({ titre: 'x', contenu: `<p>Un mot : ${word}.</p>` });
  for (const [q, word] of [
    ['equations', 'Équation'],
    ['EQUATION', 'équations'],
    ['niveau', 'niveaux'],
    ['linéaire', 'linéaires'],
    ['egales', 'égal'],
    ["l'œuvre", 'Œuvres'],
    ["d'une fonction", 'd’une fonction'],
  ] as const)
    t.equal(find(q, said(word)).length, 1, `${q}: ${word}`);
  t.same(find('art', said('carte')), [], 'a part of a word does not match');
  t.same(find('travaux', said('travail')), [], 'words with the same beginning do not match');
});

t.test('a passage shows at most two fragments of the text', async (t) => {
  const far = Array.from({ length: 60 }, (_, index) => `mot${index}`).join(' ');
  const [found] = find('limite', {
    titre: 'x',
    contenu: `<p>${far} la <strong>limite</strong> ici ${far} une limite là ${far} limite</p>`,
  });
  t.equal(found?.passage.match(/\[limite\]/g)?.length, 2);
  t.match(found?.passage, 'la [limite] ici');
  t.match(found?.passage, ' … ');
  t.notMatch(found?.passage, '<');
  const [titled] = find('suites', { titre: 'Suites', contenu: `<p>${far}</p>` });
  t.equal(titled?.passage, 'mot0 mot1 mot2 mot3 mot4 mot5 mot6 mot7 mot8 mot9');
});

t.test('words that only the correction has are found in the correction', async (t) => {
  t.same(find('réponse', { titre: 'x', contenu: '<p>Question</p>', corrige: '<p>La réponse &lt; 42.</p>' }), [
    { titre: 'x', inCorrige: true, passage: 'La [réponse] < 42' },
  ]);
});

t.test('formulas in a passage are written in one line, or replaced by a sign', async (t) => {
  const [found] = find('donc', {
    titre: 'x',
    contenu:
      '<p>donc <span class="formula"><math><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow></math></span> et <span class="formula"><math><msup><mi>x</mi><mn>2</mn></msup></math></span> fin</p>',
  });
  t.equal(found?.passage, `[donc] x=2 et ${formulas.unwritten} fin`);
});

t.test('matches in titles come first, then texts with the most matches', async (t) => {
  const found = find(
    'suite',
    { titre: 'a', contenu: '<p>suite</p>' },
    { titre: 'b', contenu: '<p>suite suite</p>' },
    { titre: 'La suite', contenu: '<p>rien</p>' },
  );
  t.same(
    found.map(({ titre }) => titre),
    ['La suite', 'b', 'a'],
  );
});
