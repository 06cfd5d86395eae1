import t from 'tap';
import { createEnrolment, createLearner, createPayment, createPrepa } from '../test/support/factories.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { createWorld } from '../test/support/world.ts';

const world = await createWorld(t);

const prepa = (...args: string[]) => runPrepa(args, { ...world.env, LOG_LEVEL: 'error' });

t.test('a shortened list is reported on standard error, with and without --json', async (t) => {
  const shop = await createPrepa(world);
  const learner = await createLearner(world);
  for (const one of [learner, await createLearner(world)]) await createEnrolment(world, one, shop, 10);
  for (const status of ['failed', 'succeeded'] as const) await createPayment(world, learner, shop, status);
  for (let count = 0; count < 2; count += 1) await prepa('keys', 'issue', '--role', 'admin');
  for (const command of [
    ['payments', 'list'],
    ['payments', 'find', learner.email],
    ['enrolments', 'list'],
    ['keys', 'list'],
  ]) {
    const cut = await prepa(...command, '--limit', '1');
    const machine = await prepa(...command, '--limit', '1', '--json');
    const whole = await prepa(...command, '--limit', '2', '--json');
    const said = 'Il y en a davantage : seule la première ligne est affichée (--limit, 200 au plus).\n';
    t.match([cut.code, cut.error], [0, said], command.join(' '));
    t.equal(cut.out.trimEnd().split('\n').length, 2, 'the shortened list has its header line and one row');
    t.same([(JSON.parse(machine.out) as unknown[]).length, machine.error], [1, said]);
    t.same([(JSON.parse(whole.out) as unknown[]).length, whole.error], [2, ''], 'a complete list prints no warning');
  }
});
