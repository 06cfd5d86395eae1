import t from 'tap';
import { clockText, reading } from './timer.ts';

const minute = 60_000;

t.test('the time left is rounded up to a second', async (t) => {
  t.equal(clockText(0), '0:00:00');
  t.equal(clockText(1), '0:00:01');
  t.equal(clockText(65 * minute + 9_000), '1:05:09');
  t.equal(clockText(600 * minute), '10:00:00');
});

t.test('the timer counts down, pauses, shows the time beyond the end, and counts up without a limit', async (t) => {
  const state = { minutes: 15, spent: 0, since: 1_000 };
  t.same(reading(state, 1_000), { label: 'Temps restant', text: '0:15:00', over: false });
  t.same(reading(state, 1_000 + minute), { label: 'Temps restant', text: '0:14:00', over: false });
  t.same(
    reading({ ...state, spent: minute, since: null }, 9 * minute),
    { label: 'Temps restant', text: '0:14:00', over: false },
    'the time does not count down in a pause',
  );
  t.same(
    reading({ ...state, spent: minute }, 1_000 + minute),
    { label: 'Temps restant', text: '0:13:00', over: false },
    'after a pause the time counts down from the remaining time',
  );
  t.same(reading(state, 1_000 + 15 * minute - 1), { label: 'Temps restant', text: '0:00:01', over: false });
  t.same(reading(state, 1_000 + 15 * minute), { label: 'Temps dépassé', text: '+0:00:00', over: true });
  t.same(reading(state, 1_000 + 17 * minute + 900), { label: 'Temps dépassé', text: '+0:02:00', over: true });
  t.same(reading({ ...state, minutes: null }, 1_000 + minute + 900), { label: 'Temps passé', text: '0:01:00', over: false });
  t.same(reading(state, 0), { label: 'Temps restant', text: '0:15:00', over: false }, 'a clock that was set back does not add time');
});
