import t from 'tap';
import { dayIn } from '../src/shared/dates.ts';
import { createEnrolment, createLearner, createPrepa } from '../test/support/factories.ts';
import { sql } from '../test/support/sql.ts';
import { createWorld } from '../test/support/world.ts';

const day = 24 * 3_600_000;
const world = await createWorld(t);
const { databaseUrl } = world;

/** Runs a command that is expected to fail. Returns its exit code and output. */
async function refused(...args: string[]) {
  try {
    return { code: 0, out: await world.prepa(...args), error: '' };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}

const statutOf = async (enrolment: number) =>
  (await sql<{ statut: string }>(databaseUrl, 'select statut from enrolment where id = $1', [enrolment]))[0]?.statut;

t.test('expire: expires once, prints the counts, and accepts --dry-run and --at', async (t) => {
  const prepa = await createPrepa(world);
  const [ended, running] = [
    await createEnrolment(world, await createLearner(world), prepa, -1),
    await createEnrolment(world, await createLearner(world), prepa, 10),
  ];
  t.equal(await world.prepa('enrolments', 'expire', '--dry-run'), '1 inscription(s) à expirer, 1 message(s) à envoyer.\n');
  t.equal(await statutOf(ended), 'active');
  t.same(JSON.parse(await world.prepa('--json', 'enrolments', 'expire', '--dry-run')), {
    expired: 1,
    restored: 0,
    announced: 1,
    dryRun: true,
  });
  t.equal(await world.prepa('enrolments', 'expire'), '1 inscription(s) expirée(s), 1 message(s) envoyé(s).\n');
  t.same([await statutOf(ended), await statutOf(running)], ['expired', 'active']);
  t.same(JSON.parse(await world.prepa('enrolments', 'expire', '--json')), { expired: 0, restored: 0, announced: 0, dryRun: false });

  const at = (days: number) => dayIn(new Date(Date.now() + days * day));
  t.equal(await world.prepa('enrolments', 'expire', '--at', at(8)), '0 inscription(s) expirée(s), 1 message(s) envoyé(s).\n');
  t.equal(await world.prepa('enrolments', 'expire', '--at', at(11)), '1 inscription(s) expirée(s), 1 message(s) envoyé(s).\n');
  t.equal(await statutOf(running), 'expired');
});

t.test('expire: two parallel runs count each enrolment once', async (t) => {
  const prepa = await createPrepa(world);
  for (let count = 0; count < 5; count += 1) await createEnrolment(world, await createLearner(world), prepa, -1);
  const runs = await Promise.all([1, 2].map(async () => JSON.parse(await world.prepa('enrolments', 'expire', '--json')).expired));
  t.equal(runs[0] + runs[1], 5);
});

t.test('grant: adds 30 days at each run, stores the reason and notifies the learner', async (t) => {
  const learner = await createLearner(world);
  const prepa = await createPrepa(world, { nom: 'ENS Yaoundé' });
  const grant = (...more: string[]) =>
    world.prepa(
      'enrolments',
      'grant',
      '--email',
      learner.email.toUpperCase(),
      '--prepa',
      String(prepa.id),
      '--reason',
      ' panne du 3 mai ',
      ...more,
    );
  t.match(await grant(), /^30 jours accordés pour « ENS Yaoundé » : accès jusqu'au \d{1,2}(?:er)? \S+ \d{4}\.\n$/);
  const again = JSON.parse(await grant('--json'));
  const [row] = await sql<{ id: number; date_expiration: Date; days: number; messages: number; reasons: string[] }>(
    databaseUrl,
    `select e.id, e.date_expiration, extract(epoch from e.date_expiration - e.date_inscription)::int / 86400 as days,
            (select count(*)::int from notification n where n.user_id = e.user_id) as messages,
            (select array_agg(reason) from enrolment_extension x where x.enrolment_id = e.id) as reasons
     from enrolment e where e.user_id = $1`,
    [learner.id],
  );
  t.match(row, { days: 60, messages: 2, reasons: ['panne du 3 mai', 'panne du 3 mai'] });
  t.same(again, { id: row?.id, prepa_id: prepa.id, date_expiration: row?.date_expiration.toISOString() });
});

t.test('grant: refuses an unknown e-mail and an unknown prepa', async (t) => {
  const learner = await createLearner(world);
  const { id } = await createPrepa(world);
  t.same(await refused('enrolments', 'grant', '--email', 'personne@gmail.com', '--prepa', String(id), '--reason', 'x'), {
    code: 1,
    out: '',
    error: "Aucun compte n'a cette adresse électronique.\n",
  });
  t.same(await refused('enrolments', 'grant', '--email', learner.email, '--prepa', '2000000000', '--reason', 'x'), {
    code: 1,
    out: '',
    error: "Cette préparation n'existe pas.\n",
  });
});

t.test('list: begins with the latest end, and accepts a learner, a prepa and a limit', async (t) => {
  const [learner, other] = [await createLearner(world), await createLearner(world)];
  const [first, second] = [await createPrepa(world, { nom: 'Prépa une' }), await createPrepa(world, { nom: 'Prépa deux' })];
  await createEnrolment(world, learner, first, 400);
  await createEnrolment(world, learner, second, 500);
  await createEnrolment(world, other, second, 450);
  const list = async (...args: string[]) =>
    (JSON.parse(await world.prepa('enrolments', 'list', '--json', ...args)) as { email: string; prepa_nom: string }[]).map(
      ({ email, prepa_nom }) => [email, prepa_nom],
    );
  t.same(await list('--email', learner.email.toUpperCase()), [
    [learner.email, 'Prépa deux'],
    [learner.email, 'Prépa une'],
  ]);
  t.same(await list('--prepa', String(second.id)), [
    [learner.email, 'Prépa deux'],
    [other.email, 'Prépa deux'],
  ]);
  t.equal((await list('--limit', '1')).length, 1);
  const table = await world.prepa('enrolments', 'list', '--email', other.email);
  t.match(table, /^Id +Candidat +Préparation +Statut +Début +Fin\n/);
  t.match(table, new RegExp(`${other.email} +Prépa deux +active +\\d{1,2} \\S+ \\d{4} +\\d{1,2} \\S+ \\d{4}\\n$`));
  t.equal(await world.prepa('enrolments', 'list', '--email', 'personne@gmail.com'), 'Aucune inscription.\n');
});
