import { join } from 'node:path';
import { openS3Server } from '../../../test/support/s3-server.ts';

/**
 * Stores pictures and documents in an S3 server, with a prefix of the bucket for each site. The site serves the files itself, since
 * production redirects no browser to an unencrypted address. Signed addresses have separate tests.
 */
export async function s3({ folder }: { folder: string }) {
  const server = await openS3Server(join(folder, 's3'));
  return { databaseHost: null, env: { ...server.env, S3_PREFIX: 'sites/{database}', S3_SIGNED_SECONDS: '0' }, close: server.close };
}
