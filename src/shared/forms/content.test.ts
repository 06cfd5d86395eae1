import t from 'tap';
import { anneeSchema, dureeSchema, titreSchema } from './content.ts';
import { parseForm } from './field-errors.ts';
import { anneeFault, dureeFault, titreFault } from './item-rules.ts';

// Tests that the editing screen and the server report the same faults.

const titles = [
  '',
  '   ',
  'ab',
  ' ab ',
  'abc',
  'a'.repeat(100),
  'a'.repeat(101),
  'Été 2024 - A_1',
  'a:',
  'a:b',
  "L'été",
  '  Suites  ',
  'e\u0301te',
  'Loi\u00a0binomiale',
  '\u202fLoi\u202fbinomiale\u200b',
  '\u00a0\u2007\u200b',
  '\u00a0ab\u202f',
];
const years = ['', ' ', 'x', '19.5', '1899', '1900', ' 2026 ', '2027', '+2000', '9999999999'];

t.test('the form and the schema find the same faults in titles', async (t) => {
  for (const titre of titles) t.equal(parseForm(titreSchema, titre).errors?.[0]?.message ?? null, titreFault(titre), `'${titre}'`);
  t.same(titles.map(titreFault).filter((fault) => fault === null).length, 7);
  t.equal(titreSchema.parse('  Suites  '), 'Suites');
  for (const space of ['\u00a0', '\u202f', '\u2007', '\u2009', '\u3000'])
    t.equal(titreSchema.parse(`${space}Loi${space}normale${space}`), 'Loi normale', encodeURIComponent(space));
});

t.test('the form and the schema find the same faults in years', async (t) => {
  const schema = anneeSchema(2026);
  for (const annee of years) t.equal(parseForm(schema, annee).errors?.[0]?.message ?? null, anneeFault(annee, 2026), `'${annee}'`);
  t.same(
    years.filter((annee) => anneeFault(annee, 2026) === null),
    ['1900', ' 2026 ', '+2000'],
  );
  for (const many of ['9999999999', '9'.repeat(400)])
    t.equal(anneeFault(many, 2026), "L'année ne peut pas dépasser 2026", 'a very large number counts as a number');
  t.equal(anneeFault('-9999999999', 2026), "L'année doit être supérieure à 1900");
  t.equal(schema.parse(' 2026 '), 2026);
  t.equal(schema.parse(2020), 2020, 'the schema accepts a number');
  for (const value of [null, undefined, [], {}, true])
    t.same(parseForm(schema, value).errors, [{ field: '', message: "L'année est requise" }]);
});

t.test('the form and the schema find the same faults in durations', async (t) => {
  for (const duree of ['', ' ', '0', '1', '600', '601', '-1', '1.5', 'x', ' 90 ', '9'.repeat(400)])
    t.equal(parseForm(dureeSchema, duree).errors?.[0]?.message ?? null, dureeFault(duree), `'${duree}'`);
  t.same(
    [' 90 ', 90, '', null].map((value) => dureeSchema.parse(value)),
    [90, 90, null, null],
  );
  for (const value of [[], {}, true])
    t.same(parseForm(dureeSchema, value).errors, [{ field: '', message: 'La durée doit être un nombre entier de minutes' }]);
});
