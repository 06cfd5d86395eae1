import t from 'tap';
import { seeded, seedOfRun } from '../../../test/support/random.ts';
import { answeredAt, newestAnswers, type ReceivedBatch } from './answer-batch.ts';

const minute = 60_000;
const given = (choice: string) => ({ choices: [choice] });

t.test('the newest answer to a question counts, whatever the order of arrival', async (t) => {
  const batch = (number: number, at: number, choice: string, device = 'phone'): ReceivedBatch => {
    return { device, number, sentAt: at, receivedAt: at + 5, answers: [{ question: 'q', given: given(choice), at }] };
  };
  const [first, second, tablet] = [batch(1, minute, 'a'), batch(2, 2 * minute, 'b'), batch(1, 3 * minute, 'c', 'tablet')];
  t.same(newestAnswers([first, second], 0, 9 * minute).get('q'), given('b'));
  t.same(newestAnswers([second, first], 0, 9 * minute).get('q'), given('b'));
  t.same(newestAnswers([tablet, second, first], 0, 9 * minute).get('q'), given('c'), 'of two devices too');
});

t.test('an answer that was taken back counts no more', async (t) => {
  const batch = { device: 'phone', number: 1, sentAt: 9, receivedAt: 9 };
  const answers = [
    { question: 'q', given: given('a'), at: 1 },
    { question: 'q', given: null, at: 2 },
  ];
  t.same([...newestAnswers([{ ...batch, answers }], 0, minute)], []);
});

t.test('an answer after the end does not count, and the one before stays', async (t) => {
  const batch = { device: 'phone', number: 1, sentAt: 3 * minute, receivedAt: 3 * minute };
  const answers = [
    { question: 'q', given: given('a'), at: minute },
    { question: 'q', given: given('b'), at: 2 * minute + 1 },
  ];
  t.same(newestAnswers([{ ...batch, answers }], 0, 2 * minute).get('q'), given('a'));
});

t.test("a wrong clock is corrected by the batch's arrival, and no answer is outside of start and arrival", async (t) => {
  t.equal(answeredAt(5 * minute, { sentAt: 6 * minute, receivedAt: 6 * minute + 900 }, 0), 5 * minute, 'the delay of a network');
  t.equal(answeredAt(15 * minute, { sentAt: 16 * minute, receivedAt: 6 * minute }, 0), 5 * minute, 'ten minutes fast');
  t.equal(answeredAt(-5 * minute, { sentAt: -4 * minute, receivedAt: 6 * minute }, 0), 5 * minute, 'ten minutes slow');
  t.equal(answeredAt(8 * minute, { sentAt: 6 * minute, receivedAt: 6 * minute }, 0), 6 * minute, 'not after the arrival');
  t.equal(answeredAt(minute, { sentAt: 6 * minute, receivedAt: 6 * minute }, 2 * minute), 2 * minute, 'not before the start');
});

t.test('order and repetition of batches change nothing', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  for (let turn = 0; turn < 200; turn += 1) {
    const batches = Array.from({ length: 1 + upTo(8) }, (_, index): ReceivedBatch => {
      const sentAt = upTo(60) * minute;
      const answers = Array.from({ length: upTo(5) }, () => ({
        question: `q${upTo(4)}`,
        given: random() < 0.2 ? null : given(`c${upTo(3)}`),
        at: sentAt - upTo(3 * minute),
      }));
      return { device: `d${upTo(2)}`, number: index, sentAt, receivedAt: sentAt + upTo(10) * minute, answers };
    });
    const sorted = (some: ReceivedBatch[]) => [...newestAnswers(some, 0, 45 * minute)].sort(([one], [other]) => (one < other ? -1 : 1));
    const expected = sorted(batches);
    const mixed = [...batches, ...batches].map((batch) => ({ batch, place: random() })).sort((one, other) => one.place - other.place);
    t.same(sorted(mixed.map(({ batch }) => batch)), expected, `SEED=${seed}, ${turn}`);
    if (!t.passing()) return;
  }
});
