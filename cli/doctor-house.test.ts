// Slow: creates each fault of a site and runs doctor on it.
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createDoctorSite, type Fault, inDatabase, tryFaults } from '../test/support/doctor-site.ts';
import { createSmallDisk } from '../test/support/small-disk.ts';
import { withoutReplicas } from '../test/support/topology.ts';

// Tests the first half of the table in docs/operations-doctor.md (settings, database, files): creates each fault and expects its sentence.

const site = await createDoctorSite(t);
const { world, env } = site;

const faults: Fault[] = [
  {
    what: 'a public site outside production mode',
    line: 'Environnement',
    says: /^NODE_ENV vaut development alors que PUBLIC_URL est https:.* : réglez NODE_ENV=production$/,
    seed: () => ({ NODE_ENV: 'development' }),
  },
  {
    what: 'a plain http address',
    line: 'Réglages',
    says: 'PUBLIC_URL doit être une adresse https en production',
    seed: () => ({ PUBLIC_URL: 'http://prepa.example' }),
  },
  {
    what: 'a publicly known secret',
    line: 'Réglages',
    says: 'METRICS_TOKEN est trop simple : tirez-le au hasard',
    seed: () => ({ METRICS_TOKEN: 'aaaaaaaaaaaaaaaaaaaa' }),
  },
  {
    what: 'no sender address for e-mail',
    line: 'Réglages',
    says: 'MAIL_FROM est obligatoire avec SMTP_URL',
    seed: () => ({ MAIL_FROM: '' }),
  },
  {
    what: 'an old Node',
    line: 'Node.js',
    says: 'v20.11.0, alors que le site est essayé avec Node 24 : installez Node 24, puis redémarrez le serveur',
    seed: () => site.loaded(`data:text/javascript,Object.defineProperty(process,'version',{value:'v20.11.0'})`),
  },
  {
    what: 'a secret in a world-readable file',
    line: 'Fichiers de secrets',
    state: 'avis',
    says: /^METRICS_TOKEN_FILE \(.*\) : lisible par tous les comptes de la machine : fermez-le avec « chmod o-rwx »$/,
    seed(t) {
      const file = join(t.testdir({ token: 'h5RkW9cX2mVq7LtZ\n' }), 'token');
      chmodSync(file, 0o644);
      return { METRICS_TOKEN: '', METRICS_TOKEN_FILE: file };
    },
  },
  {
    what: 'trusted proxies that cover every address, in two halves',
    line: 'Proxy (TRUST_PROXY)',
    says: "TRUST_PROXY comprend 0.0.0.0/1, 128.0.0.0/1, et de là n'importe qui choisirait l'adresse dont il vient : nommez votre proxy seul (loopback, ou son adresse)",
    seed: () => ({ TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }),
  },
  {
    what: 'a drain time longer than the shutdown time',
    line: 'Arrêt du serveur',
    state: 'avis',
    says: 'SHUTDOWN_DRAIN_MS (6000) dépasse la moitié de SHUTDOWN_TIMEOUT_MS (8000), qui seule compte : réglez SHUTDOWN_TIMEOUT_MS à 12000 au moins, et le gestionnaire de services à davantage',
    seed: () => ({ SHUTDOWN_DRAIN_MS: '6000' }),
  },
  {
    what: 'a telephone number left at its example',
    line: 'Support',
    state: 'avis',
    says: "les candidats lisent +237 222 00 00 00, que personne n'a réglé : réglez SUPPORT_PHONE",
    seed: () => ({ SUPPORT_PHONE: '' }),
  },
  {
    what: 'an unreachable database',
    line: 'Base de données',
    says: 'La base de données est injoignable : vérifiez DATABASE_URL.',
    seed: () => {
      const away = 'postgresql://prepa:Qm4vT8zLr2XcWk6p@127.0.0.1:9/prepa';
      return { DATABASE_URL: away, COMMANDS_DATABASE_URL: '', MIGRATIONS_DATABASE_URL: '', ...withoutReplicas };
    },
  },
  {
    what: 'a read-only database',
    line: 'Base de données',
    says: 'en lecture seule : retirez default_transaction_read_only (alter database … reset default_transaction_read_only, ou alter role)',
    seed: inDatabase(site, 'alter database this_database set default_transaction_read_only = on'),
  },
  {
    what: 'a missing migration',
    line: 'Migrations',
    says: '1 à appliquer : « prepa db migrate »',
    seed: inDatabase(site, 'delete from migration where id = (select max(id) from migration)'),
  },
  {
    what: 'a missing extension',
    line: 'Extensions de PostgreSQL',
    says: 'pg_trgm manque, sans quoi rien ne se cherche : en administrateur de PostgreSQL, « create extension pg_trgm » dans la base',
    seed: inDatabase(site, 'drop extension pg_trgm cascade'),
  },
  {
    what: 'a wrong clock',
    line: 'Horloge',
    says: "l'horloge de cette machine avance de 40 jours sur celle de la base de données : mettez les deux machines à l'heure (« timedatectl set-ntp true »)",
    seed: () => ({
      ...site.loaded(new URL('../test/support/wrong-clock.mjs', import.meta.url).href),
      CLOCK_AHEAD_MS: String(40 * 86_400_000),
    }),
  },
  {
    what: 'fewer connections than one process may open',
    line: 'Connexions à la base',
    says: "8 au plus, alors que le serveur en ouvre jusqu'à 10 : levez la limite (alter role … connection limit -1, ou alter database)",
    seed: async (t) => ({ ...(await inDatabase(site, 'alter database this_database connection limit 8')(t)), WEB_PROCESSES: '1' }),
  },
  {
    what: "a server that works as the tables' owner",
    line: 'Rôle du serveur',
    state: 'avis',
    says: 'DATABASE_URL est au propriétaire des tables : donnez au serveur un rôle à lui avec « prepa db roles » (docs/database-roles.md)',
    seed: () => ({ DATABASE_URL: world.databaseUrl }),
  },
  {
    what: 'a role without its rights',
    line: 'Droits des rôles',
    says: "prepa_web n'a pas ses droits sur enrolment, payment : « prepa db roles »",
    seed: inDatabase(site, 'revoke insert on payment from prepa_web', 'revoke all on enrolment from prepa_web'),
  },
  {
    what: 'a missing role',
    line: 'Droits des rôles',
    says: "le rôle prepa_nobody n'existe pas : « prepa db roles »",
    seed: () => ({ DATABASE_URL: Object.assign(new URL(env.DATABASE_URL ?? ''), { username: 'prepa_nobody' }).href }),
  },
  {
    what: "a log of PostgreSQL that quotes learners' data",
    line: 'Journal de PostgreSQL',
    state: 'avis',
    says: /^les erreurs peuvent y écrire des données de candidats, par prepa_web \(log_error_verbosity\), prepa_commands \(log_error_verbosity\), \w+ \(log_error_verbosity\) : « prepa db roles », ou les réglages que docs\/database-roles\.md donne à qui administre PostgreSQL$/,
    seed: inDatabase(site, 'alter database this_database set log_error_verbosity = verbose'),
  },
  {
    what: 'a full disk',
    line: 'Disque',
    says: /^presque plein, .* : 0 Mo libres sur 16 Mo : faites de la place \(anciennes sauvegardes, journaux\) ou agrandissez-le$/,
    seed(t) {
      const disk = createSmallDisk(t, 16);
      disk?.fill();
      return disk && { DATA_DIR: disk.folder };
    },
  },
  {
    what: 'a disk that is nearly full',
    line: 'Disque',
    state: 'avis',
    says: /^se remplit, .* : 15 Go libres sur 80 Go .*: faites de la place \(anciennes sauvegardes, journaux\) ou agrandissez-le$/,
    // Every disk reports 15 of 80 GB free.
    seed: () =>
      site.loaded(
        `data:text/javascript,import fs from 'node:fs';import {syncBuiltinESMExports} from 'node:module';fs.promises.statfs=async()=>({bsize:1024**3,blocks:80,bavail:15});syncBuiltinESMExports()`.replaceAll(
          ' ',
          '%20',
        ),
      ),
  },
  {
    what: 'an unwritable folder for files',
    line: 'Dossier des fichiers',
    says: /^Impossible d'écrire dans le dossier de données \/proc\/absent\/media \(ENOENT\) : changez ses droits ou DATA_DIR\.$/,
    seed: () => ({ UPLOADS: 'folder', DATA_DIR: '/proc/absent' }),
  },
  {
    what: "files of another account than the server's",
    line: 'Dossier des fichiers',
    state: 'avis',
    says: /^.*\/media\/content n'appartient pas au compte de .*, qui est sans doute celui du serveur : « chown -R --reference=.* »$/,
    seed(t) {
      if (process.getuid?.() !== 0) {
        t.comment('skipped: only root may give files away');
        return null;
      }
      const folder = t.testdir({});
      mkdirSync(join(folder, 'media/content'), { recursive: true });
      chownSync(join(folder, 'media/content'), 65_534, 65_534);
      return { UPLOADS: 'folder', DATA_DIR: folder };
    },
  },
  {
    what: 'missing pictures after a move',
    line: 'Images et documents',
    says: /^\d+ des \d+ regardés manquent dans .* \(media\/0123456789abcdef.*\) : vérifiez DATA_DIR \(ou S3_BUCKET et S3_PREFIX\), ou restaurez les fichiers d'une sauvegarde faite avec « prepa backup --media »$/,
    seed: inDatabase(
      site,
      `insert into prepa (nom, prix, description, image, is_published, created_at, updated_at)
       values ('ENS', 15000, 'Sciences.', '0123456789abcdef0123456789abcdef', true, now(), now())`,
    ),
  },
];

tryFaults(t, site, faults);
