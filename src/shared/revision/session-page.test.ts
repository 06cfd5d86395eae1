import t from 'tap';
import { presentEnd } from './session-page.ts';

t.test('what was won is promised for the day only while that day is to come', async (t) => {
  const now = new Date('2026-12-21T10:00:00Z');
  const session = { id: 's', prepaId: 1, prepaNom: 'ENS', asked: [], startedAt: now, questions: [], exercise: null };
  const won = (day: string | null) => presentEnd(session, { answered: 4, right: 3, gained: 3, tomorrow: null }, { week: [], day }, now).won;
  t.equal(won('2026-12-22'), '+3 questions solides pour le jour J');
  t.equal(won('2026-12-21'), '+3 questions solides pour le jour J', 'on the day itself');
  t.equal(won('2026-12-20'), '+3 questions solides');
  t.equal(won(null), '+3 questions solides');
});
