import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

export interface S3Server {
  url: string;
  /** Settings of a site that stores its files there. */
  env: Record<string, string>;
  close(): Promise<void>;
}

const bucket = 'prepa-essais';

/** Starts an S3 server with an empty bucket in a separate process. @param isOpen whether unsigned requests are allowed */
export async function openS3Server(folder: string, { isOpen = false } = {}): Promise<S3Server> {
  mkdirSync(folder, { recursive: true });
  const [id, secret] = [`essai-${randomBytes(6).toString('hex')}`, randomBytes(24).toString('base64url')];
  // The package encrypts continuation tokens with DES, which OpenSSL has moved to the legacy provider.
  const args = [
    '--openssl-legacy-provider',
    join(projectRoot, 'test/support/s3-process.ts'),
    folder,
    bucket,
    id,
    secret,
    isOpen ? 'open' : 'closed',
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const close = async () => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^S3 (http:.*)$/.exec(line) ?? [];
    if (!url) continue;
    const names = { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret };
    const env = { UPLOADS: 's3', ...names, S3_SIGNED_SECONDS: '300' };
    return { url, env, close };
  }
  throw new Error(`the S3 server has ended (${(await ended)[0]})`);
}
