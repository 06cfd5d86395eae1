import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { S3Client } from './s3-client.ts';
import { s3FileStore } from './s3-store.ts';
import { documentsFolder, type FileStores, localFileStore } from './storage.ts';
import type { S3Settings, UploadSettings } from './store-settings.ts';

type Log = Pick<FastifyBaseLogger, 'info' | 'error'>;
const nobody: Log = { info() {}, error() {} };

/** Returns the stores that the settings choose. */
export function openFileStores({ uploads, dataDir }: { uploads: UploadSettings; dataDir: string }, log: Log = nobody): FileStores {
  return uploads.kept === 's3' ? remoteStores(uploads, log) : folderStores(dataDir);
}

export const folderStores = (dataDir: string): FileStores => ({
  place: `le dossier ${dataDir}`,
  media: localFileStore(join(dataDir, 'media')),
  documents: localFileStore(documentsFolder(dataDir)),
});

/**
 * Returns stores in the bucket of the settings, even if the site keeps its files elsewhere.
 * @throws Error if the settings name no bucket
 */
export function remoteStores({ s3 }: UploadSettings, log: Log = nobody): FileStores {
  if (!s3) throw new Error('no S3 store in the settings');
  const client = new S3Client(s3, log);
  return { place: placeOf(s3), media: s3FileStore(client, 'media/'), documents: s3FileStore(client, 'documents/') };
}

const placeOf = ({ endpoint, bucket, prefix }: S3Settings): string =>
  `le compartiment ${bucket}${prefix && `/${prefix}`} (${new URL(endpoint).host})`;
