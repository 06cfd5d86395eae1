import t from 'tap';
import { newRecord, type SittingRecord } from '../../src/shared/exams/phone/sitting-record.ts';
import type { SittingState } from '../../src/shared/exams/phone/sitting-view.ts';
import { handedInWords } from './words.ts';

const words = (record: Partial<SittingRecord>, trouble: SittingState['trouble'] = null) =>
  handedInWords({ record: { ...newRecord('', 0), debut: 1, rendu: 'candidate', ...record }, trouble } as SittingState, le, 30);
const le = Date.parse('2026-12-21T11:05:00+01:00');
const late = "Votre copie est arrivée après le délai : elle attend la décision de l'organisateur.";

t.test('a copy that came in time shows its receipt', async (t) => {
  const remis = { le, recu: 'BX4T-9KQZ', fin: 'candidate' } as const;
  t.match(words({ isArrived: true, remis }), /^Copie remise à 11\sh\s05\. Reçu : BX4T-9KQZ\. Notez ces huit signes\./);
});

t.test('a copy that came after the grace waits for a decision, with its receipt if it has one', async (t) => {
  const remis = { le, recu: 'BX4T-9KQZ', fin: 'time' } as const;
  const shown = words({ isArrived: true, remis, isLate: true });
  t.ok(shown.startsWith(late));
  t.match(shown, /Reçu : BX4T-9KQZ\./);
  t.ok(words({ isArrived: true }).startsWith(late), 'a hand-in that is not confirmed');
});

t.test('a copy that the site handed in has no receipt', async (t) => {
  const remis = { le, recu: '', fin: 'site' } as const;
  t.match(words({ isArrived: true, remis }), /^Temps écoulé : copie remise à 11\sh\s05\.$/);
  for (const isLate of [true, false]) t.notMatch(words({ isArrived: true, remis, isLate }), /Reçu|signes/);
});
