// Slow: creates each fault of a site and runs doctor on it.
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { createVapidKeys } from '../src/modules/revision/index.ts';
import { createCertificate } from '../test/support/certificate.ts';
import { createDoctorSite, type Fault, inDatabase, tryFaults } from '../test/support/doctor-site.ts';
import { openPostOffice } from '../test/support/post-office.ts';
import { runPrepa } from '../test/support/terminal.ts';

// Tests the second half of the table in docs/operations-doctor.md (public address, external services, daily tasks, accounts):
// creates each fault and expects its sentence.

const site = await createDoctorSite(t);
const { env, behind } = site;
const ours = behind['prepa.example'];
const host = new URL(env.PUBLIC_URL ?? '').host;

t.test('a healthy site passes, also with --strict', async (t) => {
  const { code, ok, checks } = await site.doctor({}, ['--strict']);
  // The disk of the machine that runs this test may be full.
  const isFull = checks.some(({ name, state }) => name === 'Disque' && state !== 'ok');
  t.same(
    checks.filter(({ name, state }) => state !== 'ok' && name !== 'Disque'),
    [],
  );
  t.equal(ok, !isFull);
  t.equal(code, isFull ? 1 : 0);
  t.equal(new Set(checks.map(({ name }) => name)).size, checks.length, 'each line has its own name');
});

t.test('warnings about optional parts fail only with --strict', async (t) => {
  const change = { SMTP_URL: '', MAIL_FROM: '' };
  const plain = await site.doctor(change);
  const hasFaults = plain.checks.some(({ state }) => state === 'faute');
  t.equal(plain.code, hasFaults ? 1 : 0);
  t.equal(plain.ok, !hasFaults);
  t.same(
    plain.checks.filter(({ name, state }) => state === 'faute' && name !== 'Disque'),
    [],
  );
  t.match(
    plain.checks.find(({ name }) => name === 'Messagerie'),
    { ok: true, warning: true, state: 'avis', remedy: 'réglez SMTP_URL et MAIL_FROM' },
  );
  const strict = await site.doctor(change, ['--strict']);
  t.equal(strict.code, 1);
  t.equal(strict.ok, false);
});

/** Returns statements that create drafts with these columns, as SQL. */
const drafts = (...columns: { publish_at?: string; fault?: string }[]): string[] => [
  `insert into prepa (nom, prix, description, is_published, created_at, updated_at) values ('ENS', 15000, 'Sciences.', true, now(), now())`,
  `insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'Analyse', '', now(), now() from prepa`,
  ...columns.map(
    ({ publish_at = 'null', fault = 'null' }, index) =>
      `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, publish_at, fault, saved_at, saved_by)
       select ${index + 1}, id, 'course', 'Suites', '', '', '', '<p>Texte</p>', ${publish_at}, ${fault}, now(), 'Awa' from discipline`,
  ),
];

/** Returns statements that create an announced exam with this opening and closing, as SQL. */
const exam = (opening: string, closing: string): string[] => [
  `insert into prepa (nom, prix, description, is_published, created_at, updated_at) values ('ENAM', 15000, 'Droit.', true, now(), now())`,
  `insert into exam (prepa_id, titre, opens_at, closes_at, duree, bareme, audience, announced_at)
   select id, 'ENAM blanc', ${opening}, ${closing}, 60, '{"juste": 1, "faux": 0, "sans": 0}', 'enrolled', now() - interval '5 days' from prepa`,
];

/** Opens a proxy with this certificate and returns the settings that name it. */
const frontWith =
  (certificate: ReturnType<typeof createCertificate>): Fault['seed'] =>
  async () => ({ PUBLIC_URL: await site.openFront(certificate) });

/** Replaces the server behind the site's host name for one fault. */
const instead =
  (other: (typeof behind)[string]): Fault['seed'] =>
  (t) => {
    behind['prepa.example'] = other;
    t.teardown(() => {
      behind['prepa.example'] = ours ?? '';
    });
    return {};
  };

/** Serves the site's own responses, changed by `change`. */
const altered =
  (change: (path: string, body: string, response: ServerResponse) => void) =>
  async ({ url = '/' }: { url?: string | undefined }, response: ServerResponse) => {
    const answer = await fetch(`${ours}${url}`);
    response.statusCode = answer.status;
    change(url, await answer.text(), response);
  };

/** Returns the name of a backup made `hoursAgo`. */
const backupOf = (hoursAgo: number, ending: string): string =>
  `prepa-${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replaceAll(/\.\d+|:/g, '')}${ending}`;

/** Statement that creates a learner. */
const learner = `insert into app_user (id, username, email, password_hash, created_at) values (gen_random_uuid(), 'ngono', 'ngono@gmail.com', '-', now())`;
const pushPair = createVapidKeys();
const pushSettings = { PUSH_PUBLIC_KEY: pushPair.publicKey, PUSH_PRIVATE_KEY: pushPair.privateKey };

const faults: Fault[] = [
  {
    what: 'an expired certificate',
    line: 'Adresse publique',
    says: /^le certificat de prepa\.example:\d+ a expiré le .* : renouvelez-le \(« certbot renew »\), puis rechargez le proxy$/,
    // This certificate is self-signed, so its issuer is unknown too. The expiry must be reported first.
    seed: frontWith(createCertificate('prepa.example', { from: -30, to: -1 })),
  },
  {
    what: 'a certificate that should have been renewed',
    line: 'Adresse publique',
    says: /^le certificat de prepa\.example:\d+ expire le .* : renouvelez-le \(« certbot renew »\), puis rechargez le proxy$/,
    async seed(t) {
      const ending = createCertificate('prepa.example', { from: -70, to: 19 });
      const authority = join(t.testdir({ 'authority.pem': ending.certificate }), 'authority.pem');
      return {
        PUBLIC_URL: await site.openFront(ending),
        NODE_OPTIONS: env.NODE_OPTIONS?.replace(/\?ca=\S+/, `?ca=${encodeURIComponent(authority)}`) ?? '',
      };
    },
  },
  {
    what: 'a certificate of an unknown authority',
    line: 'Adresse publique',
    says: /^le certificat de prepa\.example:\d+ n'est signé par aucune autorité connue \(DEPTH_ZERO_SELF_SIGNED_CERT\) : prenez-en un d'une autorité publique \(« certbot »\), et donnez au proxy la chaîne entière \(fullchain\.pem\)$/,
    seed: frontWith(createCertificate('prepa.example', { from: -1, to: 60 })),
  },
  {
    what: 'another site at that address',
    line: 'Adresse publique',
    says: `${host} répond 404, et ce n'est pas ce site : corrigez PUBLIC_URL, ou menez ce nom au proxy de ce site`,
    seed: instead((_request, response) => response.writeHead(404).end('Nothing here')),
  },
  {
    what: 'a proxy without a server behind it',
    line: 'Adresse publique',
    says: `${host} répond 502, son proxy n'atteint pas le serveur : démarrez le serveur, et dites au proxy où il écoute (HOST, PORT)`,
    seed: instead('http://127.0.0.1:9'),
  },
  {
    what: 'an address without a server',
    line: 'Adresse publique',
    says: "prepa.example:9 est injoignable d'ici (ECONNREFUSED) : vérifiez son nom dans le DNS et le proxy ; si cette machine ne peut pas s'atteindre par son nom public, ajoutez-le à /etc/hosts",
    seed: () => ({ PUBLIC_URL: 'https://prepa.example:9' }),
  },
  {
    what: 'a server of another release',
    line: 'Version servie',
    says: /^le serveur qui répond est d'une autre version que cette commande \(\/assets\/main-before\.css\) : redémarrez-le après la mise à jour, ou lancez « prepa » depuis le dossier de sa version$/,
    seed: instead(
      altered((_path, body, response) => response.end(body.replaceAll(/\/assets\/main-[\w-]+\.css/g, '/assets/main-before.css'))),
    ),
  },
  {
    what: 'assets missing behind the proxy',
    line: 'Version servie',
    says: /^\/assets\/.*, que ses pages nomment, répond 404 : laissez le serveur répondre à \/assets\/, ou donnez au proxy le dossier assets de DATA_DIR$/,
    seed: instead(altered((path, body, response) => (path.startsWith('/assets/') ? response.writeHead(404).end() : response.end(body)))),
  },
  {
    what: 'an unreachable provider',
    line: 'Prestataire de paiement zitopay',
    says: "zitopay.example:2 est injoignable d'ici (ECONNREFUSED) : vérifiez son adresse dans les réglages, et que rien ne barre la sortie de cette machine",
    seed: () => ({ ZITOPAY_BASE_URL: 'https://zitopay.example:2' }),
  },
  {
    what: 'a provider that does not know our key',
    line: 'Prestataire de paiement notchpay',
    says: /^notchpay\.example:\d+ refuse notre clé : recopiez-la du tableau de bord du prestataire$/,
    seed: () => ({ NOTCHPAY_PUBLIC_KEY: 'pk_live_another' }),
  },
  {
    what: 'an address of something else than a provider',
    line: 'Prestataire de paiement notchpay',
    says: /^elsewhere\.example:\d+ ne vérifie pas de paiement \(not JSON\) : vérifiez son adresse dans les réglages, ou attendez qu'il aille mieux$/,
    seed: () => {
      behind['elsewhere.example'] = (_request, response) => response.end('<h1>It works</h1>');
      return { NOTCHPAY_BASE_URL: (env.PUBLIC_URL ?? '').replace('prepa.example', 'elsewhere.example') };
    },
  },
  {
    what: 'a provider host name that resolves to this machine',
    line: 'Adresses des prestataires',
    says: 'zitopay.example mène à 127.0.0.1, cette machine ou un réseau privé',
    seed: () => ({ LEADS_HERE: 'zitopay.example' }),
  },
  {
    what: 'a missing mail server',
    line: 'Messagerie',
    says: "le serveur de messagerie 127.0.0.1:9 n'a pas pris le message (ESOCKET) : vérifiez le nom et le port de SMTP_URL, et que rien ne barre ce port",
    seed: () => ({ SMTP_URL: 'smtp://127.0.0.1:9' }),
  },
  {
    what: 'a mail server without TLS on another machine',
    line: 'Messagerie',
    says: /^le serveur de messagerie 127\.0\.0\.2:\d+ n'a pas pris le message \(ETLS.*\) : il n'offre pas TLS, sans quoi rien ne lui est confié : prenez smtps:\/\/ et son port \(465\), ou un serveur qui l'offre$/,
    seed: async (t) => ({ SMTP_URL: (await openPostOffice(t, { host: '127.0.0.2', answers: { STARTTLS: '502 no' } })).url }),
  },
  {
    what: 'a mail server that refuses the password',
    line: 'Messagerie',
    says: /^le serveur de messagerie .* n'a pas pris le message \(EAUTH 535\) : il refuse le nom ou le mot de passe de SMTP_URL$/,
    seed: async (t) => ({ SMTP_URL: (await openPostOffice(t, { answers: { AUTH: '535 5.7.8 no' } })).url }),
  },
  {
    what: 'keys for push messages that are no pair',
    line: 'Rappels',
    says: /^PUSH_PUBLIC_KEY et PUSH_PRIVATE_KEY ne forment pas une paire/,
    seed: () => ({ PUSH_PUBLIC_KEY: createVapidKeys().publicKey, PUSH_PRIVATE_KEY: createVapidKeys().privateKey }),
  },
  {
    what: 'reminders that are no longer sent',
    line: 'Rappels',
    says: /^rien n'est parti depuis le .* : lancez « prepa push send » chaque quart d'heure \(minuterie systemd, cron\)$/,
    seed: async (t) => ({
      ...(await inDatabase(site, `insert into task_run values ('push', now() - interval '61 minutes')`)(t)),
      ...pushSettings,
    }),
  },
  {
    what: 'reminders that were never sent',
    line: 'Rappels',
    says: /^des candidats attendent, et rien n'est jamais parti : lancez « prepa push send »/,
    seed: async (t) => ({
      ...(await inDatabase(
        site,
        learner,
        `insert into push_subscription (user_id, endpoint, service, p256dh, auth, hour, created_at)
         select id, 'https://push.example/x', 'push.example', '', '', 19, now() - interval '61 minutes' from app_user`,
      )(t)),
      ...pushSettings,
    }),
  },
  {
    what: 'e-mails that are no longer sent',
    line: 'Emails aux candidats',
    says: /^rien n'est parti depuis le .* : lancez « prepa letters send » chaque heure \(minuterie systemd, cron\)$/,
    seed: inDatabase(site, `insert into task_run values ('letters', now() - interval '181 minutes')`),
  },
  {
    what: 'e-mails that were never sent',
    line: 'Emails aux candidats',
    says: /^des candidats attendent, et rien n'est jamais parti : lancez « prepa letters send »/,
    seed: inDatabase(site, learner, 'insert into letter_choice (user_id, weekly, ends) select id, true, true from app_user'),
  },
  {
    what: 'payments that are not reconciled',
    line: 'Rapprochement des paiements',
    says: 'aucun passage encore : laissez RECONCILE_PAYMENTS=on au serveur, ou lancez « prepa payments reconcile »',
    seed: inDatabase(site),
  },
  {
    what: 'ends that are not announced',
    line: "Fins d'accès",
    says: /^personne n'est prévenu depuis le .* : lancez « prepa enrolments expire » chaque jour \(minuterie systemd, cron\)$/,
    seed: inDatabase(
      site,
      learner,
      `insert into prepa (nom, prix, description, is_published, created_at, updated_at) values ('ENS', 15000, 'Sciences.', true, now(), now())`,
      `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
       select u.id, p.id, p.nom, 'active', now() - interval '32 days', now() - interval '2 days' from app_user u, prepa p`,
    ),
  },
  {
    what: 'planned drafts that are not published',
    line: 'Publications',
    says: '1 brouillon(s) en retard de plus de 15 minutes : laissez PUBLISH_DRAFTS=on au serveur, ou lancez « prepa content publish » (minuterie systemd, cron)',
    seed: inDatabase(site, ...drafts({ publish_at: "now() - interval '16 minutes'" }, { publish_at: "now() - interval '5 minutes'" })),
  },
  {
    what: 'drafts that were refused at their time',
    line: 'Publications',
    state: 'avis',
    says: "2 brouillon(s) refusé(s) à leur heure : ouvrez-les dans l'administration, qui dit pourquoi, et publiez-les",
    seed: inDatabase(site, ...drafts({ fault: `'Le titre est requis'` }, { fault: `'Le titre est requis'` })),
  },
  {
    what: 'a mock exam of tomorrow whose sealed paper cannot be opened',
    line: 'Concours blancs',
    says: /^« ENAM blanc » : le sujet scellé ne s'ouvre pas avec sa clé : restaurez la dernière sauvegarde/,
    seed: inDatabase(
      site,
      ...exam("now() + interval '23 hours'", "now() + interval '26 hours'"),
      "insert into exam_seal (exam_id, key, sealed) select id, decode(repeat('00', 32), 'hex'), decode(repeat('00', 64), 'hex') from exam",
    ),
  },
  {
    what: 'a mock exam that is over and was not marked',
    line: 'Concours blancs',
    state: 'avis',
    says: "à corriger : « ENAM blanc » : « prepa exams mark », ou le bouton « Corriger » de l'administration",
    seed: inDatabase(site, ...exam("now() - interval '3 hours'", "now() - interval '31 minutes'")),
  },
  {
    what: 'late copies of a marked mock exam that nobody has decided',
    line: 'Concours blancs',
    state: 'avis',
    says: '1 copie(s) en retard à décider : « prepa exams late », ou la page « Retards » du concours blanc',
    seed: inDatabase(
      site,
      ...exam("now() - interval '3 hours'", "now() - interval '31 minutes'"),
      'update exam set marked_at = now()',
      learner,
      "insert into exam_sitting (exam_id, user_id, started_at, ends_at, late) select x.id, u.id, now(), now(), 'waiting' from exam x, app_user u where u.username = 'ngono'",
    ),
  },
  {
    what: 'sessions that are not pruned',
    line: 'Nettoyage',
    says: '1 session(s) terminée(s) sont gardées au-delà de leur temps : lancez « prepa prune » chaque jour (minuterie systemd, cron)',
    seed: inDatabase(
      site,
      learner,
      `insert into session (id, user_id, expires_at, created_at)
       select repeat('a', 64), id, now() - interval '10 days', now() - interval '40 days' from app_user`,
    ),
  },
  {
    what: 'an old backup',
    line: 'Sauvegardes',
    says: /^la dernière date du .* : lancez « prepa backup » chaque heure \(minuterie systemd, cron ; docs\/backups\.md\)$/,
    seed: (t) => ({ BACKUP_DIR: t.testdir({ [backupOf(4, '.media.tar.age')]: '-' }) }),
  },
  {
    what: 'an old backup with files, beside new ones without',
    line: 'Sauvegardes',
    says: /^la dernière avec les images et les documents date du .* : lancez « prepa backup --media » chaque nuit \(minuterie systemd, cron ; docs\/backups\.md\)$/,
    seed: (t) => ({ BACKUP_DIR: t.testdir({ [backupOf(51, '.media.tar.age')]: '-', [backupOf(0, '.tar.age')]: '-' }) }),
  },
  {
    what: 'an old backup with files, without BACKUP_DIR',
    line: 'Sauvegardes',
    says: /^la dernière avec les images et les documents date du /,
    seed: async (t) => ({
      ...(await inDatabase(
        site,
        `insert into task_run values ('backup', now() - interval '1 hour'), ('backup-media', now() - interval '51 hours')`,
      )(t)),
      BACKUP_DIR: '',
    }),
  },
  {
    what: 'a new site without a backup',
    line: 'Sauvegardes',
    state: 'avis',
    says: /^aucune dans .* : lancez « prepa backup » chaque heure/,
    seed: (t) => ({ BACKUP_DIR: join(t.testdir({}), 'absent') }),
  },
  {
    what: 'unencrypted backups',
    line: 'Sauvegardes',
    state: 'avis',
    says: /^la dernière date du .* et n'est pas chiffrée : réglez BACKUP_RECIPIENT \(age-keygen ; docs\/backups\.md\)$/,
    seed: (t) => ({
      BACKUP_DIR: t.testdir({ [backupOf(0, '.media.tar')]: '-' }),
    }),
  },
  {
    what: 'no administrator who may issue keys',
    line: 'Administrateurs',
    state: 'avis',
    says: 'aucun super administrateur : « prepa keys issue --role super_admin », puis /admin/inscription avec les deux clés',
    seed: inDatabase(site),
  },
  {
    what: 'a key that does not open the stored secrets',
    line: 'Codes des administrateurs',
    says: "ADMIN_SECRETS_KEY n'ouvre pas les secrets de 1 administrateur(s), qui ne peuvent plus se connecter : remettez la clé d'avant, ou « prepa admins reset ADRESSE --second-factor »",
    seed: inDatabase(
      site,
      `insert into administrator (id, username, email, password_hash, role, created_at)
       values (gen_random_uuid(), 'chef', 'chef@prepa.example', '-', 'super_admin', now())`,
      `insert into second_factor (administrator_id, secret, confirmed_at) select id, 'v1:c2VhbGVkIHdpdGggYW5vdGhlciBrZXkgdGhhbiB0aGlzIG9uZQ', now() from administrator`,
    ),
  },
  {
    what: 'demonstration accounts',
    line: 'Comptes de démonstration',
    says: 'La base contient des comptes de démonstration, refusés en production : ngono@gmail.com (candidat). « prepa demo close » les ferme.',
    seed: inDatabase(
      site,
      `insert into app_user (id, username, email, password_hash, created_at, is_demo) values (gen_random_uuid(), 'ngono', 'ngono@gmail.com', '-', now(), true)`,
    ),
  },
];

tryFaults(t, site, faults);

t.test('unused keys: doctor says that an administrator is expected', async (t) => {
  const { env: ofDatabase } = await site.emptyDatabase();
  t.equal((await runPrepa(['keys', 'issue', '--role', 'super_admin'], { ...env, ...ofDatabase })).code, 0);
  const { checks } = await site.doctor(ofDatabase);
  t.match(
    checks.find(({ name }) => name === 'Administrateurs'),
    { state: 'ok', detail: 'aucun encore, et des clés attendent à /admin/inscription' },
  );
});

t.test('silent services delay the report for a bounded time only', async (t) => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const { port } = silent.address() as { port: number };
  const usual = await site.doctor({}, [], 'alone');
  const { ms, checks } = await site.doctor(
    {
      ZITOPAY_BASE_URL: `https://zitopay.example:${port}`,
      NOTCHPAY_BASE_URL: `https://notchpay.example:${port}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      PUBLIC_URL: `https://prepa.example:${port}`,
    },
    [],
    'alone',
  );
  // Subtract the usual duration on this machine, so that only the timeout counts.
  t.ok(ms - usual.ms < 14_000, `${Math.round(ms)} ms, and ${Math.round(usual.ms)} ms where all answer`);
  for (const silentOne of ['Adresse publique', 'Prestataire de paiement zitopay', 'Prestataire de paiement notchpay', 'Messagerie'])
    t.match(
      checks.find(({ name }) => name === silentOne),
      { state: 'faute', detail: 'pas de réponse en 9 secondes' },
    );
});
