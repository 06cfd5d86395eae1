import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../test/support/factories.ts';
import { administratorSessions, learnerSessions } from './sessions.ts';

const home = await createTestApp(t);
const { kernel, clock } = home;

t.test("each session's token is random and cannot be guessed", async (t) => {
  const em = kernel.fork();
  const owners = [
    [learnerSessions, (await createLearner(home)).id],
    [administratorSessions, (await createAdministrator(home)).id],
  ] as const;
  for (const [sessions, id] of owners) {
    const tokens: string[] = [];
    for (let count = 0; count < 150; count += 1) tokens.push((await sessions.open(em, clock, id)).token);
    t.equal(new Set(tokens).size, tokens.length);
    t.ok(
      tokens.every((token) => /^[a-z2-7]{40}$/.test(token)),
      '40 characters of 5 bits',
    );
    // Among 150 random draws, nearly all of the 32 values occur at each position.
    const seldom = Array.from({ length: 40 }, (_, place) => new Set(tokens.map((token) => token[place])).size).filter(
      (values) => values < 24,
    );
    t.same(seldom, [], 'every character is drawn');
  }
});
