import t from 'tap';
import { parseForm } from '../forms/field-errors.ts';
import { announcedExamSchema, draftExamSchema, parseDoualaTime, writeDoualaTime } from './exam-form.ts';

const now = new Date('2027-03-01T10:00:00Z');
const form = {
  prepa: '3',
  titre: '  ENAM blanc  ',
  ouverture: '2027-03-03T08:00',
  fermeture: '2027-03-03T12:00',
  duree: '120',
  grace: '30',
  bareme: '1 ; -0,25 ; 0',
  audience: 'enrolled',
  consignes: 'Deux lignes\r\nen tout.\0',
};
const faults = (more: object) =>
  Object.fromEntries((parseForm(draftExamSchema(now), { ...form, ...more }).errors ?? []).map(({ field, message }) => [field, message]));

t.test('times are those of Douala, as browsers send them and as people write them', async (t) => {
  const eight = new Date('2027-03-03T07:00:00Z');
  for (const typed of ['2027-03-03T08:00', '2027-03-03T08:00:00', '3/3/2027 08:00', ' 03.03.2027 à 8h00 '])
    t.same(parseDoualaTime(typed), eight, typed);
  for (const typed of [
    '',
    '2027-02-30T08:00',
    '2027-03-03',
    '03/03/2027',
    '2027-03-03T08:00Z',
    '2027-03-03T08:00:30',
    '2027-13-01T08:00',
    '3/3/2027 25:00',
  ])
    t.equal(parseDoualaTime(typed), null, typed);
  t.equal(writeDoualaTime(eight), '2027-03-03T08:00');
  t.equal(writeDoualaTime(new Date('2027-12-31T23:30:00Z')), '2028-01-01T00:30', 'the next year begins an hour earlier');
});

t.test('a draft is read, and each field has its own fault', async (t) => {
  t.match(parseForm(draftExamSchema(now), form).data, {
    prepa: 3,
    titre: 'ENAM blanc',
    ouverture: new Date('2027-03-03T07:00:00Z'),
    duree: 120,
    bareme: { juste: 1, faux: -0.25, sans: 0 },
    consignes: 'Deux lignes\nen tout.',
  });
  t.match(
    faults({ titre: 'ab', duree: '4', grace: '241', bareme: '0 ; 1 ; 2', audience: 'all', prepa: '', consignes: 'x'.repeat(4_001) }),
    {
      titre: /3 à 100/,
      duree: /5 à 600/,
      grace: /0 à 240/,
      bareme: /juste/i,
      audience: /qui peut/,
      prepa: /préparation/,
      consignes: /4 000/,
    },
  );
  t.match(faults({ ouverture: '2027-03-01T11:00' }), { ouverture: 'Cette heure est passée' }, 'now is not later');
  t.match(faults({ ouverture: '2028-04-03T08:00', fermeture: '2028-04-03T12:00' }), { ouverture: /plus d'un an/ });
  t.match(faults({ fermeture: '2027-03-03T08:00' }), { fermeture: /après/ });
  t.match(faults({ fermeture: '2027-03-03T09:59' }), { fermeture: /120 min/ });
  t.same(faults({ fermeture: '2027-03-03T10:00' }), {}, 'exactly the duration');
  t.match(faults({ fermeture: '2027-03-18T08:01' }), { fermeture: /14 jours/ });
  t.match(faults({ duree: '1e2' }), { duree: /entier/ });
  t.ok(parseForm(draftExamSchema(now), null).errors, 'no form at all');
});

t.test('the times of an announced exam only become later, and its opening stays once it is open', async (t) => {
  const stored = { opensAt: new Date('2027-03-03T07:00:20Z'), closesAt: new Date('2027-03-03T11:00:20Z'), duree: 120 };
  const announced = { titre: form.titre, consignes: '', ouverture: form.ouverture, fermeture: form.fermeture };
  const said = (more: object, at = now) =>
    Object.fromEntries(
      (parseForm(announcedExamSchema(stored, at), { ...announced, ...more }).errors ?? []).map(({ field, message }) => [field, message]),
    );
  t.same(said({}), {}, 'unchanged, whatever its seconds');
  t.same(said({ ouverture: '2027-03-03T09:00' }), {});
  t.match(said({ ouverture: '2027-03-03T07:59' }), { ouverture: /retardée/ });
  t.match(said({ fermeture: '2027-03-03T11:59' }), { fermeture: /retardée/ });
  t.match(said({ ouverture: '2027-03-03T11:00' }), { fermeture: /120 min/ });
  const open = new Date('2027-03-03T08:00:00Z');
  t.match(said({ ouverture: '2027-03-03T10:00' }, open), { ouverture: /ouvert/ });
  t.same(said({ fermeture: '2027-03-03T13:00' }, open), {});
});
