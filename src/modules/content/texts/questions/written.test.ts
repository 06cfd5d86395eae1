import t from 'tap';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { shownBlocks } from '../../../../../test/support/shown-questions.ts';
import { imported } from '../../../../../test/support/word-file.ts';
import { randomWritten, shownWritten, type WrittenQuestion, writtenForms } from '../../../../../test/support/written-questions.ts';

// Random questions written in the forms that teachers use. Moodle XML and GIFT are in question-files/write.test.ts.

const rounds = isLongForm ? 2_000 : 200;
/** Questions of one file. */
const together = 5;

for (const [name, { write, only, without = [] }] of Object.entries(writtenForms)) {
  t.test(`random questions written in the form "${name}" and imported are equal`, async (t) => {
    const seed = seedOfRun();
    t.comment(`SEED=${seed}`);
    const random = seeded(seed);
    const next = (): WrittenQuestion => {
      const question = randomWritten(random);
      if (only === 'choices' && question.choices.length === 0) return next();
      return {
        ...question,
        ...(without.includes('points') && { points: 1 }),
        ...(without.includes('explanation') && { explanation: null }),
      };
    };
    for (let round = 0; round < rounds; round += together) {
      const questions = Array.from({ length: together }, next);
      const file = await write(questions);
      const { contenu } = await imported(Buffer.isBuffer(file) ? file : Buffer.from(file));
      const [found, expected] = [shownBlocks(contenu), questions.map(shownWritten)];
      if (found.join('\n') === expected.join('\n')) continue;
      t.same(found, expected, `SEED=${seed}, questions ${round} to ${round + together}`);
      if (typeof file === 'string') t.comment(file);
      return;
    }
    t.pass();
  });
}
