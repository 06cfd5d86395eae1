/** The services that `make test TOPOLOGY=…` has placed between the parts of a site (scripts/testing/topologies.ts). */

/** Returns the URL by which the site reaches a database of the tests' server. @param host a server in between; null for none */
export function siteAddress(databaseUrl: string, host: string | null = process.env.TEST_DATABASE_HOST || null): string {
  return host ? Object.assign(new URL(databaseUrl), { host }).href : databaseUrl;
}

/** Returns the environment variables that the topology adds to a site. */
export const siteEnvironment = (databaseUrl: string): Record<string, string> =>
  JSON.parse((process.env.TEST_SITE_ENVIRONMENT || '{}').replaceAll('{database}', new URL(databaseUrl).pathname.slice(1)));

/** Environment of a site that reads only from DATABASE_URL, for tests of the connection and for databases that the replicas do not have. */
export const withoutReplicas = { DATABASE_REPLICA_URLS: '' };

/** Creates a site on another server than the tests' own, without the topology's database settings, which refer to that server. */
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
