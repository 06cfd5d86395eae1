import t from 'tap';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { randomQuestion } from '../../../../../test/support/random-questions.ts';
import { imported } from '../../../../../test/support/word-file.ts';
import { documentFromJson } from '../../../../shared/rich-text/document.ts';
import { writeGift } from './write-gift.ts';
import { writeMoodleXml } from './write-moodle-xml.ts';

const rounds = isLongForm ? 2_000 : 200;
/** Questions of one file. */
const together = 4;

for (const [name, write] of [
  ['Moodle XML', writeMoodleXml],
  ['GIFT', writeGift],
] as const) {
  t.test(`random questions written as ${name} and imported are equal`, async (t) => {
    const seed = seedOfRun();
    t.comment(`SEED=${seed}`);
    const random = seeded(seed);
    for (let round = 0; round < rounds; round += together) {
      const questions = Array.from({ length: together }, () => randomQuestion(random));
      const file = write(questions);
      const { contenu } = await imported(Buffer.from(file));
      const read = documentFromJson(contenu);
      for (const [index, question] of questions.entries()) {
        const found = read.maybeChild(index);
        if (found?.eq(question)) continue;
        t.same(found?.toJSON(), question.toJSON(), `SEED=${seed}, question ${round + index}`);
        t.comment(write([question]));
        return;
      }
      if (read.childCount !== together)
        return t.equal(read.childCount, together, `SEED=${seed}, questions ${round} to ${round + together}`);
    }
    t.pass();
  });
}
