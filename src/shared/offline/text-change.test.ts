import t from 'tap';
import type { KeptItem } from './offline-copy.ts';
import { changeOf, wholeItems } from './text-change.ts';

const kept = (contenu: string, corrige: string | null): KeptItem => ({
  id: 1,
  kind: 'exercise',
  titre: 'T',
  annee: null,
  duree: null,
  version: 1,
  contenu,
  corrige,
  pictures: [],
  documents: [],
});
const apply = (before: KeptItem, after: KeptItem) => {
  const corrige = after.corrige === null ? null : changeOf(before.corrige ?? '', after.corrige);
  const change = { ...after, contenu: changeOf(before.contenu, after.contenu), corrige };
  return { change, whole: wholeItems({ items: [], changes: [change] }, new Map([[1, before]])) };
};

t.test('a change turns any text into any other', async (t) => {
  const texts = ['', 'a', 'aa', 'aaa', 'aba', 'abba', 'b', '<p>Été</p>', '<p>Été 😀</p>', '<p>Été 😁</p>', '<p>Été</p><p>Été</p>'];
  for (const one of texts) {
    for (const other of texts) {
      for (const corrige of [null, one]) t.same(apply(kept(one, corrige), kept(other, other)).whole, [kept(other, other)]);
      t.same(apply(kept(one, one), kept(other, null)).whole, [kept(other, null)]);
    }
  }
});

t.test('the common beginning and end are left out of a change', async (t) => {
  t.match(changeOf('<p>Le texte est long.</p>', '<p>Le mot est long.</p>'), { debut: 6, fin: 14, texte: 'mot' });
});

t.test('a change of a text that the device does not hold gives no item', async (t) => {
  const { change } = apply(kept('abcdef', 'xyz'), kept('abXdef', 'xYz'));
  t.same(wholeItems({ items: [], changes: [change] }, new Map([[1, kept('abcdeff', 'xyz')]])), []);
  t.same(wholeItems({ items: [], changes: [change] }, new Map([[1, kept('abcdef', 'xy')]])), []);
  t.same(wholeItems({ items: [], changes: [change] }, new Map()), []);
  const other = kept('autre', null);
  t.same(wholeItems({ items: [other] }, new Map()), [other]);
});
