/**
 * Runs an S3 server from a package that checks signatures (version 4, in headers and URLs, with expiry) and supports multipart uploads,
 * listings and deletions. This script adds further behaviour of a provider's bucket: no access without a signature, a body must match its
 * signed digest, and files are written atomically. Arguments: folder, bucket, access key, secret, and whether the bucket is open to
 * everyone. Prints its URL on standard output.
 */
import { createHash, randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from '@20minutes/s3rver';
import account from '@20minutes/s3rver/lib/models/account.js';

// The package does not percent-encode five characters that the signature rules encode.
const { encodeURIComponent: encode } = globalThis;
globalThis.encodeURIComponent = (value) =>
  encode(value).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const [directory, name, id = '', secret = '', opening] = process.argv.slice(2);

const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name }] });
server.middleware.unshift(async (context, next) => {
  const refuse = (status: number, code: string) => {
    Object.assign(context, { status, type: 'application/xml', body: `<Error><Code>${code}</Code><Message>refused</Message></Error>` });
  };
  const isSigned = context.headers.authorization !== undefined || context.query['X-Amz-Signature'] !== undefined;
  if (!isSigned && opening !== 'open') return refuse(403, 'AccessDenied');
  if (context.method === 'PUT' || context.method === 'POST') {
    const body = await buffer(context.req);
    if (createHash('sha256').update(body).digest('hex') !== context.headers['x-amz-content-sha256'])
      return refuse(400, 'XAmzContentSHA256Mismatch');
    context.req = Readable.from([body]);
  }
  return next();
});
server.store.putContent = async (path, content) => {
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, path);
  return [bytes.length, createHash('md5').update(bytes).digest('hex')];
};
account.DUMMY_ACCOUNT.createKeyPair(id, secret);
const { port } = await server.run();
console.log(`S3 http://127.0.0.1:${port}`);
// Ends when its parent has gone without stopping it.
process.stdin.on('end', () => process.exit()).resume();
