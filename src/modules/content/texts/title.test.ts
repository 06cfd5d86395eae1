import t from 'tap';
import { Remarks } from './remarks.ts';
import { adaptedTitles } from './title.ts';

const adapted = (title: string | null) => {
  const remarks = new Remarks();
  return { ...adaptedTitles(title, remarks), remarks: remarks.list(10).length };
};

t.test('a title that the rules refuse becomes a permitted one, and is kept as the full title', async (t) => {
  t.same(adapted("L'année 1960 : repères"), { titre: 'L année 1960 repères', intitule: "L'année 1960 : repères", remarks: 1 });
  t.same(adapted(' Les suites '), { titre: 'Les suites', intitule: null, remarks: 0 });
  t.same(adapted(null), { titre: null, intitule: null, remarks: 0 });
  t.same(adapted('¿ ?'), { titre: null, intitule: '¿ ?', remarks: 1 });
  t.same(adapted('A?'), { titre: null, intitule: null, remarks: 1 }, 'too short for both');
});

t.test('control characters become spaces, and what is too long is cut between two words', async (t) => {
  t.equal(adapted('Un\u0000deux\n\ttrois \ud800!').intitule, 'Un deux trois !');
  const long = `${'mot, '.repeat(60)}fin`;
  const { titre, intitule } = adapted(long);
  t.equal(intitule, `${'mot, '.repeat(39)}mot,`);
  t.equal(titre, `${'mot '.repeat(24)}mot`);
  t.equal(adapted('!'.repeat(300)).intitule?.length, 200);
  t.equal(adapted(`${'x'.repeat(199)}😀 !`).intitule, 'x'.repeat(199), 'no half of a sign');
});
