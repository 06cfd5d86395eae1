import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../test/support/database.ts';
import { demoTemplate } from '../test/support/demo.ts';
import { createLearner, createPrepa } from '../test/support/factories.ts';
import { isLongForm } from '../test/support/long-form.ts';
import { sql } from '../test/support/sql.ts';
import { runPrepa } from '../test/support/terminal.ts';
import { createWorld } from '../test/support/world.ts';

/** Creates an empty database and returns a function that runs `prepa` on it. */
async function openTerminal(t: Test) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const dataDir = t.testdir({});
  const prepa = (args: string[], more: Record<string, string> = {}) =>
    runPrepa(args, { NODE_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...more });
  return { databaseUrl, dataDir, prepa };
}

t.test('db status lists applied and missing migrations, and db migrate applies them', async (t) => {
  const { databaseUrl, prepa } = await openTerminal(t);
  const good = await prepa(['db', 'status']);
  t.equal(good.code, 0);
  t.match(good.out, /^Migration +État\n(\S+ +appliquée\n)+$/);
  await sql(databaseUrl, 'drop schema public cascade; create schema public');
  const missing = await prepa(['db', 'status', '--json']);
  t.equal(missing.code, 1);
  const { applied, pending } = JSON.parse(missing.out) as { applied: unknown[]; pending: string[] };
  t.equal(applied.length, 0);
  t.ok(pending.length >= 2);
  t.match((await prepa(['enrolments', 'list'])).error, "Des tables manquent : lancez d'abord « prepa db migrate ».");
  t.same(JSON.parse((await prepa(['db', 'migrate', '--json'])).out), { applied: pending });
  t.same(await prepa(['db', 'migrate']), { code: 0, out: 'La base est à jour.\n', error: '' });
  t.equal((await prepa(['db', 'status'])).code, 0);
});

t.test('doctor: accepts a healthy site, and names each fault with exit code 1', async (t) => {
  const { databaseUrl, prepa } = await openTerminal(t);
  const provider = createServer((request, response) =>
    response.end(request.url?.startsWith('/api_v1') ? '{"error":"Invalid transaction reference"}' : '//'),
  );
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  t.teardown(() => provider.close());
  const address = `http://127.0.0.1:${(provider.address() as { port: number }).port}`;
  const unasked = await prepa(['doctor'], { ZITOPAY_BASE_URL: address });
  t.equal(unasked.code, 1);
  t.match(unasked.out, /^FAUTE {2}Rapprochement des paiements : .*aucun passage encore/m);
  t.equal((await prepa(['payments', 'reconcile'], { ZITOPAY_BASE_URL: address })).code, 0);
  const well = await prepa(['doctor'], { ZITOPAY_BASE_URL: address });
  t.equal(well.code, 0, well.out + well.error);
  t.match(well.out, /^(ok {5}.+\n){9,}$/);
  t.match(well.out, /Base de données : PostgreSQL \d+/);
  t.match(well.out, /Rapprochement des paiements : dernier passage le /);
  await sql(databaseUrl, `update reconciliation_pass set finished_at = finished_at - interval '11 minutes'`);
  t.match(
    (await prepa(['doctor'], { ZITOPAY_BASE_URL: address })).out,
    /^FAUTE {2}Rapprochement des paiements : .*le dernier passage date du /m,
  );
  const rare = { ZITOPAY_BASE_URL: address, RECONCILE_EVERY_SECONDS: '600' };
  t.equal((await prepa(['doctor'], rare)).code, 0, 'a longer interval allows an older pass');

  await sql(databaseUrl, 'delete from migration');
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'prepa@prepa.example', PUBLIC_URL: 'https://prepa.example' };
  const away = await prepa(['doctor', '--json'], { ZITOPAY_BASE_URL: 'http://127.0.0.1:9', DATA_DIR: '/proc/absent', ...mail });
  t.equal(away.code, 1);
  const { ok, checks } = JSON.parse(away.out) as { ok: boolean; checks: { name: string; ok: boolean; detail: string }[] };
  t.equal(ok, false);
  const stands = Object.fromEntries(checks.map(({ name, ok, detail }) => [name, ok ? 'ok' : detail]));
  t.match(stands, {
    Réglages: 'ok',
    'Base de données': 'ok',
    Migrations: /\d à appliquer : « prepa db migrate »/,
    'Dossier des fichiers': /Impossible d'écrire dans le dossier de données/,
    'Prestataire de paiement zitopay': /./,
    Messagerie: /le serveur de messagerie 127\.0\.0\.1:9.* : vérifiez le nom et le port de SMTP_URL/,
    'Paiements en attente': 'ok',
    'Rapprochement des paiements': /passage/,
    Horloge: 'ok',
  });

  const silent = { NODE_ENV: 'production', PUBLIC_URL: 'https://prepa.example', ZITOPAY_RECEIVER: 'prepa' };
  t.match((await prepa(['doctor'], silent)).out, "AVIS   Messagerie : SMTP_URL n'est pas réglé", 'a site works without e-mail');
});

t.test('seed: names each fault and loads nothing, loads the demo, and changes nothing in a second load', async (t) => {
  const { databaseUrl, prepa } = await openTerminal(t);
  const folder = t.testdir({
    ens: {
      'prepa.md': '---\nnom: ENS\nprix: quinze\npublie: oui\n---\nSciences.\n',
      maths: {
        'discipline.md': '---\nnom: Mathématiques\n---\nSuites.\n',
        lecons: {
          '01-suites.md': '---\ntitre: Les suites\n---\nBien.\n\nEt $\\foo$.\n',
          '02-limites.md': '---\ntitre: Limites\n---\nBien.\n',
        },
      },
    },
  });
  const faulty = await prepa(['seed', folder]);
  t.equal(faulty.code, 1);
  t.equal(faulty.out, '');
  t.match(faulty.error, `${folder}/ens/prepa.md:3: Le prix doit être un nombre entier de XAF`);
  t.match(faulty.error, `${folder}/ens/maths/lecons/01-suites.md:6: Formule incorrecte`);
  t.match(faulty.error, /\n2 défaut\(s\) : rien n'a été chargé\.\n$/);
  const machine = await prepa(['seed', folder, '--json']);
  t.equal(machine.code, 1);
  t.match(JSON.parse(machine.out), { faults: [{ line: 6 }, { file: `${folder}/ens/prepa.md`, line: 3 }] });
  t.same(await sql(databaseUrl, 'select count(*)::int as n from prepa'), [{ n: 0 }]);
  t.match(await prepa(['seed', join(folder, 'absent')]), { code: 1, error: /absent:1: Dossier introuvable ou illisible/ });

  const mended = {
    'ens/prepa.md': '---\nnom: ENS\nprix: 15000\npublie: oui\n---\nSciences.\n',
    'ens/maths/lecons/01-suites.md': '---\ntitre: Les suites\n---\nBien.\n\nEt $\\infty$.\n',
  };
  for (const [name, text] of Object.entries(mended)) writeFileSync(join(folder, name), text);
  t.equal((await prepa(['seed', folder])).out, '1 préparation(s), 1 discipline(s), 2 contenu(s) : 4 ajouté(s) ou modifié(s).\n');
  t.match(JSON.parse((await prepa(['seed', folder, '--json'])).out), { prepas: 1, changed: 0 });
  const logged = (url: string) => sql(url, "select actor, label, after->'prepas' as prepas from audit_entry where action = 'loaded'");
  t.same(
    await logged(databaseUrl),
    [{ actor: 'terminal', label: '1 préparation(s)', prepas: 1 }],
    'a load without changes is not in the audit log',
  );

  // demoTemplate() loads the demo without a folder, once for all tests.
  const demo = await demoTemplate();
  t.match(demo.said, /^3 préparation\(s\), \d+ discipline\(s\), \d+ contenu\(s\) : \d+ ajouté\(s\) ou modifié\(s\)\.\n$/);
  const { url } = await createTestDatabase(t, demo.database);
  t.same(await logged(url), [{ actor: 'terminal', label: '3 préparation(s)', prepas: 3 }]);
  if (isLongForm) t.match(JSON.parse((await prepa(['seed', '--json'], { DATABASE_URL: url })).out), { prepas: 3, changed: 0 });
});

t.test('demo accounts: created once, refused in production', async (t) => {
  const { databaseUrl, prepa } = await openTerminal(t);
  for (let run = 0; run < 2; run += 1) {
    const out =
      'Candidat de démonstration : demo@gmail.com\nCandidat inscrit de démonstration : demo.inscrit@gmail.com\nAdministrateur de démonstration : admin@gmail.com\n';
    t.same(await prepa(['demo', 'accounts']), { code: 0, out, error: '' });
  }
  t.same(await sql(databaseUrl, 'select username, email from app_user order by username'), [
    { username: 'demo', email: 'demo@gmail.com' },
    { username: 'demo_inscrit', email: 'demo.inscrit@gmail.com' },
  ]);
  t.same(await sql(databaseUrl, 'select username, email, role from administrator'), [
    { username: 'admin', email: 'admin@gmail.com', role: 'super_admin' },
  ]);
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://prepa.example', ZITOPAY_RECEIVER: 'prepa' };
  t.match(await prepa(['demo', 'accounts'], production), { code: 1, error: 'Les comptes de démonstration sont refusés en production.\n' });
});

t.test('demo answers: the same at each call, with a question that needs a look; refused in production', async (t) => {
  const { prepa } = await openTerminal(t);
  t.match(await prepa(['demo', 'answers']), { code: 0, out: 'Aucune question.\n' });
  const { url } = await createTestDatabase(t, (await demoTemplate()).database);
  const answers = () => sql(url, 'select question_id, first_given, first_right, rest from question_state order by user_id, question_id');
  const seed = () => prepa(['demo', 'answers', '--json'], { DATABASE_URL: url });
  const { count } = JSON.parse((await seed()).out);
  const first = await answers();
  t.equal(first.length, count);
  t.match(JSON.parse((await seed()).out), { count });
  t.same(await answers(), first);
  const [misleading] = await sql<{ misled: boolean; few: boolean }>(
    url,
    `select bool_or(rated * rest_right < rated_right * rest_sum and answered = 24) as misled, bool_or(answered = 3) as few from question_tally`,
  );
  t.same(misleading, { misled: true, few: true });
  t.match(await prepa(['demo', 'answers'], { NODE_ENV: 'production', PUBLIC_URL: 'https://prepa.example', ZITOPAY_RECEIVER: 'prepa' }), {
    code: 1,
    error: 'Les réponses de démonstration sont refusées en production.\n',
  });
});

t.test('one demo learner always has access to a prepa, the other must pay first', async (t) => {
  const { databaseUrl, prepa } = await openTerminal(t);
  const accounts = async () => JSON.parse((await prepa(['demo', 'accounts', '--json'])).out);
  t.same(await accounts(), { learner: 'demo@gmail.com', enrolled: 'demo.inscrit@gmail.com', administrator: 'admin@gmail.com' });
  t.same(await sql(databaseUrl, 'select id from enrolment'), [], 'no enrolment without a published prepa');
  await sql(
    databaseUrl,
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at) select nom, 'x', 1000, nom <> 'Cachée', now(), now()
     from unnest(array['Cachée', 'ENS', 'ENAM']) with ordinality as n (nom, place) order by place`,
  );
  const enrolments = () =>
    sql<{ left: number }>(
      databaseUrl,
      `select u.email, e.prepa_nom, e.statut, ceil(extract(epoch from e.date_expiration - now()) / 86400)::int as left
       from enrolment e join app_user u on u.id = e.user_id`,
    );
  const month = [{ email: 'demo.inscrit@gmail.com', prepa_nom: 'ENS', statut: 'active', left: 30 }];
  await accounts();
  t.same(await enrolments(), month);
  await accounts();
  t.same(await enrolments(), month, 'no days are added while enough are left');
  for (const ends of ["now() + interval '3 days'", "now() - interval '3 days'"]) {
    await sql(databaseUrl, `update enrolment set date_expiration = ${ends}`);
    await accounts();
    const [{ left = 0 } = {}] = await enrolments();
    t.ok(left >= 30, `${left} days`);
  }
});

t.test('changes by commands and by the running server are visible to each other at once', async (t) => {
  const world = await createWorld(t);
  const server = await world.startServer();
  const learner = await createLearner(world);
  const prepa = await createPrepa(world);
  const page = () =>
    fetch(`${server.url}/user/prepa/${prepa.id}`, { headers: { cookie: learner.session, accept: 'text/html' }, redirect: 'manual' });
  t.equal((await page()).status, 303);
  await world.prepa('enrolments', 'grant', '--email', learner.email, '--prepa', String(prepa.id), '--reason', 'essai');
  t.equal((await page()).status, 200);
  t.equal(await world.prepa('enrolments', 'expire', '--at', '2099-12-31'), '1 inscription(s) expirée(s), 1 message(s) envoyé(s).\n');
  const refused = await page();
  t.equal(refused.status, 303);
  t.equal(refused.headers.get('location'), `/user/prepa/consultation/${prepa.id}`);
  t.equal(await server.stop(), 0, 'the server closes gracefully');
});
