import { join } from 'node:path';
import { openS3Server } from '../../../test/support/s3-server.ts';

/**
 * Pictures and documents in an S3 store, in a part of its bucket for each site; served by the site itself, since production sends no browser to an
 * address in the clear. Signed addresses have tests of their own.
 */
export async function s3({ folder }: { folder: string }) {
  const server = await openS3Server(join(folder, 's3'));
  return { databaseHost: null, env: { ...server.env, S3_PREFIX: 'sites/{database}', S3_SIGNED_SECONDS: '0' }, close: server.close };
}
