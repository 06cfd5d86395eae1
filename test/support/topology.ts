/** What `make test TOPOLOGY=…` has put between the parts of a site (scripts/testing/topologies.ts). */

/** The address at which the site reaches a database of the tests' server. @param host what stands between them; null: nothing */
export function siteAddress(databaseUrl: string, host: string | null = process.env.TEST_DATABASE_HOST || null): string {
  return host ? Object.assign(new URL(databaseUrl), { host }).href : databaseUrl;
}

/** What the site of a database of the tests' server finds in its environment because of it. */
export const siteEnvironment = (databaseUrl: string): Record<string, string> =>
  JSON.parse((process.env.TEST_SITE_ENVIRONMENT || '{}').replaceAll('{database}', new URL(databaseUrl).pathname.slice(1)));

/** For a site whose test is about its connections to one database, or that works on another one than its replicas have: it reads from DATABASE_URL alone. */
export const withoutReplicas = { DATABASE_REPLICA_URLS: '' };

/** Makes a site on another server than the tests' own: what the topology has put between a site and its database leads to that one, and is left out. */
export async function onServer<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const { TEST_DATABASE_URL, TEST_DATABASE_HOST, TEST_SITE_ENVIRONMENT } = process.env;
  const surroundings = Object.entries(JSON.parse(TEST_SITE_ENVIRONMENT || '{}')).filter(([name]) => !name.startsWith('DATABASE_'));
  Object.assign(process.env, {
    TEST_DATABASE_URL: url,
    TEST_DATABASE_HOST: '',
    TEST_SITE_ENVIRONMENT: JSON.stringify(Object.fromEntries(surroundings)),
  });
  try {
    return await work();
  } finally {
    for (const [name, value] of Object.entries({ TEST_DATABASE_URL, TEST_DATABASE_HOST, TEST_SITE_ENVIRONMENT }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
