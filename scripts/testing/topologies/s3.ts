import { join } from 'node:path';
import { openS3Server } from '../../../test/support/s3-server.ts';

/** Pictures and documents in an S3 store, in a part of its bucket for each site. */
export async function s3({ folder }: { folder: string }) {
  const server = await openS3Server(join(folder, 's3'));
  return { databaseHost: null, env: { ...server.env, S3_PREFIX: 'sites/{database}' }, close: server.close };
}
