import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { entities } from '../src/modules.ts';
import { connect } from '../src/platform/backup/snapshot.ts';
import { describeTlsFailure } from '../src/platform/database/connections/tls-failure.ts';
import { isDatabaseAway } from '../src/platform/database/database-away.ts';
import { closeDatabase, openDatabase } from '../src/platform/database/open-database.ts';
import { createCertificate } from './support/certificate.ts';
import { createTestDatabase } from './support/database.ts';
import { sql } from './support/sql.ts';

const { url: databaseUrl } = await createTestDatabase(t);
const folder = t.testdir();

/** Enables TLS on the tests' server with a certificate for this name; connections without TLS remain possible. */
async function serveWith(name: string): Promise<string> {
  const { certificate, key } = createCertificate(name);
  for (const [file, text] of Object.entries({ 'server.crt': certificate, 'server.key': key }))
    await sql(databaseUrl, `copy (select unnest(string_to_array('${text.trim()}', e'\\n'))) to program 'umask 077; cat > ${file}'`);
  await sql(databaseUrl, 'alter system set ssl = on');
  const loaded = 'select pg_conf_load_time()::text as at';
  const [before] = await sql(databaseUrl, loaded);
  await sql(databaseUrl, 'select pg_reload_conf()');
  // Connections opened from now on use the certificate.
  while ((await sql(databaseUrl, loaded))[0]?.at === before?.at);
  const path = join(folder, `${name}.pem`);
  writeFileSync(path, certificate);
  return path;
}

function address(parameters: Record<string, string>, host = 'localhost'): string {
  const url = Object.assign(new URL(databaseUrl), { hostname: host });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const question = 'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()';

/** Returns TLS state of the site's pool connection. */
async function asked(url: string): Promise<unknown> {
  const orm = await openDatabase({ url, entities });
  try {
    return await orm.em.getConnection().execute(question);
  } finally {
    await closeDatabase(orm);
  }
}

/** Returns the error message for operators. */
const refusal = (parameters: Record<string, string>) =>
  asked(address(parameters)).then(
    () => 'connected',
    (error) => `${isDatabaseAway(error) ? '' : 'not away: '}${describeTlsFailure(error)}`,
  );

t.test('the address says how the site and the backups reach PostgreSQL', async (t) => {
  const own = await serveWith('localhost');
  const verified = address({ sslmode: 'verify-full', sslrootcert: own });
  const encrypted = [{ ssl: true, version: 'TLSv1.3' }];
  t.same(await asked(address({})), [{ ssl: false, version: null }], 'no encryption without sslmode');
  t.same(await asked(verified), encrypted);
  const client = await connect(verified);
  t.same((await client.query(question)).rows, encrypted);
  await client.end();
});

t.test('a server without a valid certificate gets no password', async (t) => {
  const own = await serveWith('localhost');
  const unknown = "Le certificat de PostgreSQL vient d'une autorité inconnue";
  t.match(await refusal({ sslmode: 'verify-full' }), `${unknown} (DEPTH_ZERO_SELF_SIGNED_CERT)`);
  const other = await serveWith('autre.example');
  t.match(await refusal({ sslmode: 'verify-full', sslrootcert: own }), unknown, "not its authority's");
  t.equal(
    await refusal({ sslmode: 'verify-full', sslrootcert: other }),
    "Le certificat de PostgreSQL n'est pas à ce nom : vérifiez DATABASE_URL.",
  );
});
