import t from 'tap';
import { choiceOf, weightOf } from './weight.ts';

const sizes = {
  textes: 1000,
  images: { nombre: 3, octets: 500 },
  documents: { nombre: 1, octets: 9000 },
  disciplines: [
    { id: 7, nom: 'Droit', contenus: 4, textes: 700, images: 400, documents: 9000 },
    // Has one picture in common with the other discipline.
    { id: 9, nom: 'Calcul', contenus: 2, textes: 400, images: 300, documents: 0 },
  ],
};

t.test('the size of the whole prepa is that of its texts and the ticked files', async (t) => {
  const all = { disciplines: null, pictures: true, documents: true };
  t.same(weightOf(sizes, all), { textes: 1000, images: 500, documents: 9000, total: 10_500 });
  t.equal(weightOf(sizes, { ...all, documents: false }).total, 1500);
  t.equal(weightOf(sizes, { ...all, pictures: false, documents: false }).total, 1000);
});

t.test('the size of a part is the sum of its disciplines, at most the size of all pictures', async (t) => {
  const part = { disciplines: [9], pictures: true, documents: true };
  t.same(weightOf(sizes, part), { textes: 400, images: 300, documents: 0, total: 700 });
  t.equal(weightOf(sizes, { ...part, disciplines: [] }).total, 0);
  const three = { ...sizes, disciplines: [...sizes.disciplines, { id: 11, nom: 'Vide', contenus: 0, textes: 0, images: 0, documents: 0 }] };
  t.equal(weightOf(three, { ...part, disciplines: [7, 9] }).images, 500);
});

t.test('ticking all disciplines, in any order, chooses the whole prepa; unknown ids are ignored', async (t) => {
  t.same(choiceOf(sizes, [9, 7], { pictures: true, documents: false }), { disciplines: null, pictures: true, documents: false });
  t.same(choiceOf(sizes, [9, 12], { pictures: true, documents: false }).disciplines, [9]);
});
