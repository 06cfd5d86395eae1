import fc from 'fast-check';
import t from 'tap';
import {
  type AnswerMoment,
  latestOf,
  mergePacked,
  packAnswers,
  packedAfter,
  packedUntil,
  tagOfAnswers,
  unpackAnswers,
} from './packed-answers.ts';

const anyAnswers = fc
  .dictionary(
    fc.stringMatching(/^[a-z]{1,3}$/),
    fc.uniqueArray(
      fc.tuple(
        fc.integer({ min: 1, max: 2_000_000_000 }).map((second) => second * 1000),
        fc.boolean(),
        fc.option(fc.nat(600)),
      ),
      {
        selector: ([at]) => at,
        maxLength: 6,
      },
    ),
  )
  .map((all) => Object.entries(all) as [string, AnswerMoment[]][]);

t.test('answers come back as they were packed, by their times', async (t) => {
  fc.assert(
    fc.property(anyAnswers, (all) => {
      const packed = packAnswers(all);
      return all.every(
        ([id, answers]) => JSON.stringify(unpackAnswers(packed[id])) === JSON.stringify(answers.toSorted(([one], [other]) => one - other)),
      );
    }),
  );
  t.pass();
});

t.test('what came until a time and what came after it give the whole, with the same tag', async (t) => {
  fc.assert(
    fc.property(anyAnswers, fc.integer({ min: 1, max: 2_000_000_000_000 }), (all, until) => {
      const whole = packAnswers(all);
      const early = packedUntil(whole, until);
      const late = packedAfter(whole, until);
      const merged = mergePacked(late, early);
      const sorted = (packed: object) => JSON.stringify(Object.entries(packed).sort());
      return sorted(merged) === sorted(whole) && tagOfAnswers(merged) === tagOfAnswers(whole) && latestOf(early) <= until;
    }),
  );
  t.pass();
});

t.test('another time or result gives another tag', async (t) => {
  const one = tagOfAnswers(packAnswers([['a', [[5_000, true, 3]]]]));
  t.not(tagOfAnswers(packAnswers([['a', [[6_000, true, 3]]]])), one);
  t.not(tagOfAnswers(packAnswers([['a', [[5_000, false, 3]]]])), one);
  t.same(unpackAnswers(packAnswers([['a', [[5_999, false, null]]]]).a), [[5_000, false, null]]);
});
