import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

export interface S3Server {
  /** Its origin. */
  url: string;
  /** The settings of a site that keeps its files there. */
  env: Record<string, string>;
  close(): Promise<void>;
}

const bucket = 'prepa-essais';

/** An S3 server on this machine with an empty bucket, in a process of its own. @param isOpen whoever has signed nothing may do all, too */
export async function openS3Server(folder: string, { isOpen = false } = {}): Promise<S3Server> {
  mkdirSync(folder, { recursive: true });
  const [id, secret] = [`essai-${randomBytes(6).toString('hex')}`, randomBytes(24).toString('base64url')];
  // The package writes where a listing goes on with DES, which OpenSSL has put among the old ciphers.
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
