import { lookup } from 'node:dns/promises';
import { paymentProviders } from '../../src/modules/payment/index.ts';
import { connected } from '../../src/platform/database/connections/connected.ts';
import { roleOf } from '../../src/platform/database/roles.ts';
import { openMailer } from '../../src/platform/mail/open-mailer.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { ConfigError } from '../../src/platform/settings/config.ts';
import { systemClock } from '../../src/platform/use-cases/clock.ts';
import { providersElsewhere } from '../checks/money/provider-addresses.ts';
import { explain } from '../failure.ts';
import { derivedRoles, readSettings } from './settings.ts';

/** The result of checking an answer: it is valid ('ok'), it may become valid later ('later'), or it is wrong ('fault'). */
export interface Finding {
  kind: 'ok' | 'later' | 'fault';
  text: string;
}

const ok = (text: string): Finding => ({ kind: 'ok', text });
const later = (text: string): Finding => ({ kind: 'later', text });
const fault = (text: string): Finding => ({ kind: 'fault', text });

type Settings = Readonly<Record<string, string>>;

/** Checks that the site's host name resolves. A missing https response is no fault yet. */
export async function site({ PUBLIC_URL = '' }: Settings): Promise<Finding[]> {
  const { hostname } = new URL(PUBLIC_URL);
  const found = await lookup(hostname, { all: true }).catch(() => []);
  if (found.length === 0) return [fault(`${hostname} n'a pas d'adresse : créez l'enregistrement DNS qui mène à ce serveur`)];
  const at = [...new Set(found.map(({ address }) => address))].join(', ');
  const answered = await fetch(PUBLIC_URL, { redirect: 'manual', signal: AbortSignal.timeout(5_000) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return null;
    },
    (error: Error) => (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.name,
  );
  return [
    ok(`${hostname} mène à ${at}`),
    answered === null
      ? ok('https répond, avec un certificat valable')
      : later(`https n'y répond pas encore (${answered}) : c'est l'affaire de nginx et du certificat`),
  ];
}

const needed = ['unaccent', 'pg_trgm'];

interface Owner {
  version: string;
  number: number;
  encoding: string;
  createsRoles: boolean;
  createsObjects: boolean;
  extensions: string[];
  roles: string[];
}

/** Connects as the owner and checks that migrations and roles will be possible, before anything is written. */
export async function database(settings: Settings): Promise<Finding[]> {
  const { MIGRATIONS_DATABASE_URL: url = '' } = settings;
  const others = derivedRoles(settings).filter((name) => name !== roleOf(url));
  try {
    const row = await connected(url, async (client) => {
      const { rows } = await client.query<Owner>(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding,
           (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as "createsRoles",
           has_database_privilege(current_database(), 'create') as "createsObjects",
           array(select name::text from pg_available_extensions where name = any($1)) as extensions,
           array(select rolname::text from pg_roles where rolname = any($2)) as roles`,
        [needed, others],
      );
      return rows[0];
    });
    if (!row) return [fault('la base ne répond rien')];
    const missing = needed.filter((name) => !row.extensions.includes(name));
    const faults = [
      row.number < 150_000 && `PostgreSQL ${row.version} est trop ancien : 15 ou plus récent`,
      row.encoding !== 'UTF8' && `la base est en ${row.encoding} : créez-la en UTF8`,
      !row.createsObjects && 'ce rôle ne peut rien créer dans la base : nommez son propriétaire',
      missing.length > 0 && `il manque ${missing.join(' et ')} : installez les extensions de PostgreSQL (contrib)`,
      !row.createsRoles &&
        row.roles.length < others.length &&
        "ce rôle ne peut pas en créer d'autres : « alter role … createrole », ou créez-les comme docs/database-roles.md le dit",
    ].filter((text) => text !== false);
    return faults.length > 0 ? faults.map(fault) : [ok(`PostgreSQL ${row.version}, avec ${needed.join(' et ')}`)];
  } catch (error) {
    return [fault(explain(error, { database: 'La base de données', address: 'cette adresse' }))];
  }
}

/** Checks that the roles do not exist yet: an existing role does not have the random password. */
export async function drawnRoles(ownerUrl: string, names: readonly string[]): Promise<Finding[]> {
  const found = await connected(ownerUrl, async (client) => {
    const { rows } = await client.query<{ rolname: string }>('select rolname::text from pg_roles where rolname = any($1) order by 1', [
      names,
    ]);
    return rows.map(({ rolname }) => rolname);
  });
  return found.map((name) =>
    fault(
      `le rôle ${name} existe déjà, avec un mot de passe que personne n'a donné ici : réglez DATABASE_URL et COMMANDS_DATABASE_URL, ou retirez-le`,
    ),
  );
}

/** Checks that each provider is reachable. */
export async function providers(settings: Settings): Promise<Finding[]> {
  const config = readSettings(settings);
  if (config instanceof ConfigError) return [];
  const log = createLog('silent');
  const list = paymentProviders(config, { clock: systemClock, log }).list();
  const answers = await Promise.all(
    list.map(async ({ slug, widgetScript, addresses: [api], timeoutMs }) => {
      const address = widgetScript ?? api;
      const { host } = new URL(address);
      try {
        const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
        await answer.body?.cancel();
        return address !== api && !answer.ok ? fault(`${slug} : ${host} répond ${answer.status}`) : ok(`${slug} : ${host} répond`);
      } catch (error) {
        return fault(`${slug} : ${host} : ${explain(error)}`);
      }
    }),
  );
  const elsewhere = await providersElsewhere(list.flatMap(({ addresses }) => addresses));
  return [...answers, ...(elsewhere.state === 'ok' ? [] : [fault(elsewhere.detail)])];
}

export async function mail(settings: Settings): Promise<Finding[]> {
  if (!settings.SMTP_URL) return [later("sans serveur de messagerie, un mot de passe oublié ne se remplace qu'en écrivant au support")];
  const config = readSettings(settings);
  if (config instanceof ConfigError || !config.mail) return [];
  try {
    const mailer = await openMailer(config, createLog('silent'));
    return [ok((await mailer?.check()) ?? '')];
  } catch (error) {
    return [fault(explain(error))];
  }
}
