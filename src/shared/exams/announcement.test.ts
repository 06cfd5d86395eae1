import t from 'tap';
import { examName, formatOpening, formatWindow, startsIn } from './announcement.ts';

const at = (text: string) => new Date(`${text}+01:00`);
const times = { opensAt: at('2026-12-05T08:00'), closesAt: at('2026-12-05T12:30') };

t.test('the opening is said as people say it, in Douala', async (t) => {
  t.equal(formatOpening(times.opensAt), 'samedi 5 décembre à 8\u00a0h');
  t.equal(formatOpening(at('2027-05-01T00:05')), 'samedi 1er mai à 0\u00a0h\u00a005');
  t.equal(formatWindow(times), 'Samedi 5 décembre, de 8\u00a0h à 12\u00a0h\u00a030');
  t.equal(
    formatWindow({ ...times, closesAt: at('2026-12-06T18:00') }),
    'Du samedi 5 décembre à 8\u00a0h au dimanche 6 décembre à 18\u00a0h',
  );
});

t.test('the time until the opening is said coarsely', async (t) => {
  for (const [now, said] of [
    ['2026-12-02T23:59', 'Commence dans 3 jours'],
    ['2026-12-04T09:00', 'Commence demain'],
    ['2026-12-04T23:59', 'Commence demain'],
    ['2026-12-05T05:59', 'Commence dans 2\u00a0h'],
    ['2026-12-05T07:00:01', 'Commence dans 60\u00a0min'],
    ['2026-12-05T07:48', 'Commence dans 12\u00a0min'],
    ['2026-12-05T08:00', "Ouvert jusqu'à 12\u00a0h\u00a030"],
  ] as const)
    t.equal(startsIn(times, at(now)), said, now);
  t.equal(startsIn({ ...times, closesAt: at('2026-12-06T18:00') }, times.opensAt), "Ouvert jusqu'au dimanche 6 décembre à 18\u00a0h");
});

t.test('a title that begins with the words is not given them twice', async (t) => {
  t.equal(examName('ENAM'), 'Concours blanc « ENAM »');
  t.equal(examName('Concours blanc ENAM'), 'Concours blanc ENAM');
});
