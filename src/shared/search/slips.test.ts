import t from 'tap';
import { correctSlips, termsOfSlips, wordsToCheck } from './slips.ts';
import { wordsOf } from './words.ts';

const corrected = (typed: string, texts: string[]) =>
  correctSlips(typed, ({ terms: [term = ''] }) => ({
    isKnown: texts.some((text) => wordsOf(text).words.some(({ terms }) => terms.includes(term))),
    texts,
  }));

t.test('an unknown word becomes the nearest word of the texts', async (t) => {
  const texts = ["L'inflation. La Monnaie et l'inflation en zone CEMAC. Élodie étudie la photosynthèse. Impôts directs et recettes."];
  for (const [typed, meant] of [
    ['inflatoin', 'inflation'],
    ['inflaton', 'inflation'],
    ['Imflation', 'inflation'],
    ['infflation', 'inflation'],
    ['photosinthèse', 'photosynthèse'],
    ['monaie', 'Monnaie'],
    ['monaie et inflaton, en zone', 'Monnaie et inflation, en zone'],
    ['cemak', 'CEMAC'],
    ['dirrect', 'directs'],
    // Known words, also in another form, words with two slips, short ones and numbers stay.
    ['recetes', null],
    ['inflation', null],
    ['inflations', null],
    ['enflatoin', null],
    ['zon', null],
    ['1997', null],
    ['', null],
  ] as const)
    t.equal(corrected(typed, texts), meant, typed);
  t.equal(corrected('inflatiom', ['Inflation puis inflation', 'inflatior']), 'inflation', 'the most frequent word');
});

t.test('the terms of near words are bounded and contain the term of each near word', async (t) => {
  for (const word of ['inflation', 'cour', 'abcdefghijklmnopqrst']) {
    const terms = termsOfSlips(word);
    t.ok(terms.length <= 54 * (word.length + 1), `${word}: ${terms.length}`);
    t.ok(terms.every((term) => /^[a-z]+$/.test(term)));
  }
  t.ok(termsOfSlips('inflatoin').includes(wordsOf('inflation').words[0]?.terms[0] ?? '-'));
  t.equal(wordsToCheck('un deux trois quatre cinq sixième septième huitième').length, 4);
});
