import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createEnrolment, createLearner, createPayment, createPrepa } from '../test/support/factories.ts';
import { sql } from '../test/support/sql.ts';
import { createWorld } from '../test/support/world.ts';

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

const nobody = "Aucun compte de candidat n'a cette adresse électronique.\n";

t.test('export: to standard output, or into a new file readable only by its owner', async (t) => {
  const learner = await createLearner(world);
  const all = JSON.parse(await world.prepa('learners', 'export', learner.email.toUpperCase()));
  t.match(all, { exported_at: /Z$/, app_user: [{ username: learner.username }], session: [{}], payment: [] });
  const output = join(t.testdir({}), 'candidat.json');
  t.equal(
    await world.prepa('learners', 'export', learner.email, '--output', output),
    `Tout ce qui est gardé à propos de ce candidat est dans ${output}.\n`,
  );
  t.equal(statSync(output).mode & 0o777, 0o600);
  const again = JSON.parse(readFileSync(output, 'utf8'));
  t.same({ ...again, exported_at: all.exported_at, audit_entry: all.audit_entry }, all);
  t.match(again.audit_entry, [{ action: 'exported', label: learner.username }], 'the first export is in the journal');
  t.match(await refused('learners', 'export', learner.email, '--output', output), {
    code: 1,
    error: `Le fichier ${output} existe déjà.\n`,
  });
  rmSync(output);
  t.match(await refused('learners', 'export', 'personne@gmail.com'), { code: 1, error: nobody });
});

t.test('erase: needs --yes, refuses while payments are open, works once', async (t) => {
  const learner = await createLearner(world);
  const prepa = await createPrepa(world, { nom: 'ENS Yaoundé' });
  await createEnrolment(world, learner, prepa, 10);
  const payment = await createPayment(world, learner, prepa, 'review');
  const asked = await refused('learners', 'erase', learner.email);
  t.equal(asked.code, 2);
  t.match(asked.error, new RegExp(`^Effacer ${learner.username} \\(${learner.email}\\) pour toujours \\? `));
  t.match(asked.error, /\nIl perdra son accès à « ENS Yaoundé » jusqu'au [^\n]+\.\nRien n'a été effacé : ajoutez --yes\.\n$/);
  const waiting = await refused('learners', 'erase', learner.email, '--yes');
  t.equal(waiting.code, 1);
  t.match(waiting.error, `pas d'issue : ${payment.reference} (15 000 XAF, à l'examen).`);
  await world.prepa('payments', 'close', payment.reference, '--reason', 'rien reçu');
  t.equal(
    await world.prepa('learners', 'erase', learner.email.toUpperCase(), '--yes'),
    "Ce compte est effacé. Les sauvegardes d'avant le contiennent encore, jusqu'à la fin de leur conservation.\n",
  );
  t.match(await sql(databaseUrl, 'select username, email, erased_at from app_user where id = $1', [learner.id]), [
    { username: /^Compte effacé [0-9a-f]{12}$/, email: /@efface\.invalid$/, erased_at: Date },
  ]);
  for (const yes of [[], ['--yes']]) t.match(await refused('learners', 'erase', learner.email, ...yes), { code: 1, error: nobody });
});

t.test('block and unblock: the reason is required and kept in the journal', async (t) => {
  const learner = await createLearner(world);
  t.equal((await refused('learners', 'block', learner.email)).code, 2, 'blocking without a reason is refused');
  t.match(await refused('learners', 'block', 'personne@gmail.com', '--reason', 'essai'), { code: 1, error: nobody });
  t.match(await refused('learners', 'block', learner.email, '--reason', ' '), { code: 1, error: /Donnez une raison/ });
  const blocked = JSON.parse(await world.prepa('learners', 'block', learner.email.toUpperCase(), '--reason', 'compte partagé', '--json'));
  t.match(blocked, { id: learner.id, email: learner.email, blocked_at: /Z$/ });
  t.match(await sql(databaseUrl, 'select ended from session where user_id = $1', [learner.id]), [{ ended: 'blocked' }]);
  t.equal(
    await world.prepa('learners', 'unblock', learner.email, '--reason', 'réglé'),
    `Le compte de ${learner.username} n'est plus bloqué.\n`,
  );
  t.same(await sql(databaseUrl, 'select action, actor, after from audit_entry where subject_id = $1 order by id', [learner.id]), [
    { action: 'blocked', actor: 'terminal', after: { reason: 'compte partagé' } },
    { action: 'unblocked', actor: 'terminal', after: { reason: 'réglé' } },
  ]);
});
