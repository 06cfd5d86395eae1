import t from 'tap';
import { maxBatchAnswers } from '../exam-calls.ts';
import {
  type KeptAnswer,
  newRecord,
  type SittingRecord,
  unsentCount,
  unsentOf,
  withAnswer,
  withBatch,
  withHandInBatch,
  withoutBatch,
  withServerAnswers,
  withSiteTime,
} from './sitting-record.ts';

const answer = (q: string, t: number, more: Partial<KeptAnswer> = {}): KeptAnswer => ({ q, g: { choices: ['a'] }, t, ...more });
const record = (...answers: KeptAnswer[]): SittingRecord => answers.reduce(withAnswer, newRecord('phone', 0));
const times = (of: SittingRecord) => unsentOf(of).map(({ t }) => t);

t.test('answers stay unsent until their batch is confirmed', async (t) => {
  const sent = withAnswer(withBatch(record(answer('q1', 10), answer('q2', 20))), answer('q1', 30));
  t.equal(unsentCount(sent), 2);
  t.same(times(sent), [10, 20, 30]);
  t.same(times(withoutBatch(sent, 1)), [30]);
});

t.test('the hand-in carries everything unsent, in several batches when it is much', async (t) => {
  const early = withAnswer(withBatch(record(answer('q1', 10))), answer('q2', 20));
  const [batch, ...more] = withHandInBatch(early).batches;
  t.same([batch?.numero, batch?.reponses.map(({ q }) => q), more], [2, ['q1', 'q2'], []], 'a batch that may be lost too');
  t.same(withHandInBatch(newRecord('phone', 0)).batches, [{ numero: 1, reponses: [] }], 'also nothing');
  const many = record(...Array.from({ length: maxBatchAnswers + 1 }, (_, index) => answer(`q${index}`, index + 1)));
  t.same(
    withHandInBatch(many).batches.map(({ reponses }) => reponses.length),
    [maxBatchAnswers, 1],
  );
});

t.test('times of a page without contact are corrected, within the two contacts and in their order', async (t) => {
  const kept = {
    ...record(answer('q1', 900), answer('q2', 1_100, { unsure: true }), answer('q3', 1_200, { unsure: true })),
    contact: 1_000,
  };
  t.same(times(withSiteTime(kept, 500, 9_000)), [900, 1_600, 1_700]);
  t.same(times(withSiteTime(kept, -150, 9_000)), [900, 1_000, 1_050], 'not before the last contact');
  t.same(times(withSiteTime(kept, 5_000, 2_000)), [900, 1_999, 2_000], 'not after this one');
  t.same(times(withSiteTime(withSiteTime(kept, 500, 9_000), 500, 9_500)), [900, 1_600, 1_700], 'once');
});

t.test('a change of an answer is newer than the answer, whatever the clock says', async (t) => {
  const [shown] = withServerAnswers(newRecord('phone', 0), [{ q: 'q1', g: { choices: ['b'] }, t: 5_000 }], false);
  t.same(times(withAnswer(shown, answer('q1', 4_000))), [5_001]);
});

t.test("another device's newer answer is shown, an unsent one of this phone stays", async (t) => {
  const own = record(answer('q1', 10), answer('q2', 20));
  const there = (q: string, at: number) => ({ q, g: { choices: ['b'] }, t: at });
  const [merged, isChanged] = withServerAnswers(own, [there('q1', 15), there('q2', 15), there('q3', 5)], false);
  t.ok(isChanged);
  t.same(
    Object.values(merged.answers).map(({ q, g }) => [q, g]),
    [
      ['q1', { choices: ['b'] }],
      ['q2', { choices: ['a'] }],
      ['q3', { choices: ['b'] }],
    ],
  );
  const confirmed = withoutBatch(withBatch(own), 1);
  t.equal(withServerAnswers(confirmed, [there('q1', 5)], true)[0].answers.q2?.g, null, 'what the server lacks does not count');
  t.same(withServerAnswers(confirmed, [there('q1', 5)], true)[0].answers.q1?.g, { choices: ['b'] });
  t.same(withServerAnswers(confirmed, [], false)[0].answers.q2?.g, { choices: ['a'] });
});
