/** What `make test TOPOLOGY=…` has put between the parts of a site (scripts/testing/topologies.ts). */

/** The address at which the site reaches a database of the tests' server. @param host what stands between them; null: nothing */
export function siteAddress(databaseUrl: string, host: string | null = process.env.TEST_DATABASE_HOST || null): string {
  return host ? Object.assign(new URL(databaseUrl), { host }).href : databaseUrl;
}

/** What the site of a database of the tests' server finds in its environment because of it. */
export const siteEnvironment = (databaseUrl: string): Record<string, string> =>
  JSON.parse((process.env.TEST_SITE_ENVIRONMENT || '{}').replaceAll('{database}', new URL(databaseUrl).pathname.slice(1)));
