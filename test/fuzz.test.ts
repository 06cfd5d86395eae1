import t from 'tap';
import { campaign } from './support/fuzz/campaign.ts';
import { described } from './support/fuzz/shrink.ts';
import { plant } from './support/fuzz/site-copy.ts';
import { isLongForm } from './support/long-form.ts';

// Everybody's requests at random, to everything that the application answers: nobody gets an error, waits for ever, or sees or changes what is another's.
// With many thousands, it is `ONLY=fuzz make soak`. SEED repeats a run.

const requests = Number(process.env.REQUESTS ?? (isLongForm ? 10_000 : 2_000));
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

t.test(`${requests} random requests, seed ${seed}`, async (t) => {
  const { findings, ...figures } = await campaign(await plant(t), { requests, perSequence: 1_000, seed });
  t.comment(JSON.stringify(figures));
  for (const { what, requests, repeats } of findings)
    t.fail(`${what}\n${repeats ? 'repeated by' : 'not repeated; its last requests:'}\n${requests.map(described).join('\n')}`);
  t.equal(figures.foundAfter, null, 'nothing was found');
});
