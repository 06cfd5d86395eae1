import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import { within } from '../work/within.ts';
import { deletionOf, readDeletion, readListing } from './s3-answers.ts';
import { type S3Client, timedOut } from './s3-client.ts';
import type { FileStore, OpenedFile, Part, RemoteFiles } from './storage.ts';
import { StoreFault } from './store-fault.ts';

/** Maximum number of keys in one deletion: the protocol's limit. */
const deletionBatch = 1_000;

/** Content types of files that the store sends to browsers itself. */
const types: Readonly<Record<string, string>> = { '.webp': 'image/webp', '.jpg': 'image/jpeg', '.pdf': 'application/pdf' };
export const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream';

/**
 * Returns a store in a folder of an S3-compatible bucket. `FileStore`'s guarantees rely on the store's: an object becomes visible complete,
 * and reads and listings after a write or deletion reflect it (strong consistency, as in Amazon S3, MinIO, Ceph, R2 and Garage).
 * @param folder within the bucket and its prefix, ending in a slash
 */
export function s3FileStore(client: S3Client, folder: string): FileStore {
  const { settings } = client;
  const source: RemoteFiles = {
    open: (name, part) => open(client, folder + name, part),
    async signedAddress(name, headers) {
      return settings.signedSeconds === 0 ? null : client.sign(folder + name, settings.signedSeconds, headers);
    },
  };

  async function* listed(within: string, deeper: boolean) {
    const prefix = `${settings.prefix}${folder}${within && `${within}/`}`;
    let next: string | null = null;
    do {
      const query: Record<string, string> = {
        'list-type': '2',
        prefix,
        ...(!deeper && { delimiter: '/' }),
        ...(next !== null && { 'continuation-token': next }),
      };
      const page: ReturnType<typeof readListing> = readAnswer('a listing', readListing, await client.ask({ method: 'GET', query }));
      for (const { key, ...file } of page.files) {
        // Consoles create empty objects with a trailing slash as folders.
        if (key.startsWith(prefix) && !key.endsWith('/')) yield { name: key.slice(settings.prefix.length + folder.length), ...file };
      }
      next = page.next;
    } while (next !== null);
  }

  async function size(name: string): Promise<number | null> {
    const answer = await client.send({ method: 'HEAD', name: folder + name });
    return answer && lengthOf(answer, name);
  }

  return {
    source,
    async write(name, bytes) {
      const digest = createHash('sha256').update(bytes).digest('hex');
      const headers = { 'content-type': typeOf(name) };
      if (!(await client.send({ method: 'PUT', name: folder + name, headers, body: bytes, digest })))
        throw new StoreFault(`PUT ${folder}${name}: no such bucket`);
    },
    has: async (name) => (await size(name)) !== null,
    size,
    async read(name) {
      const opened = await open(client, folder + name);
      return opened && Buffer.concat(await opened.body.toArray());
    },
    async remove(names) {
      for (let start = 0; start < names.length; start += deletionBatch) {
        const keys = names.slice(start, start + deletionBatch).map((name) => `${settings.prefix}${folder}${name}`);
        await removeSome(client, keys);
      }
    },
    async *list(within, before) {
      for await (const { name, modified } of listed(within, false)) if (modified < before) yield name;
    },
    async isEmpty() {
      for await (const _ of listed('', true)) return false;
      return true;
    },
  };
}

async function open(client: S3Client, name: string, part?: Part): Promise<OpenedFile | null> {
  const headers: Record<string, string> = part ? { range: `bytes=${part.from}-${part.to ?? ''}` } : {};
  const answer = await client.send({ method: 'GET', name, headers }).catch((error: unknown) => {
    if (error instanceof StoreFault && error.code === 'RANGE')
      throw new AppError('REQUEST.RANGE', 416, "Cette partie du fichier n'existe pas.");
    throw error;
  });
  if (!answer) return null;
  const range = answer.headers.get('content-range');
  if (part && range === null) {
    await answer.body?.cancel();
    throw new StoreFault(`GET ${name}: no parts`);
  }
  const length = lengthOf(answer, name);
  const modified = new Date(answer.headers.get('last-modified') ?? Date.now());
  return {
    length,
    modified,
    range,
    body: Readable.from(chunksOf(answer, { name, length, timeoutMs: client.settings.timeoutMs }), { objectMode: false }),
  };
}

/** Yields a body as it arrives. The reader may be slow, the store may not. @throws StoreFault also for a body that ends too early */
async function* chunksOf(
  answer: Response,
  { name, length, timeoutMs }: { name: string; length: number; timeoutMs: number },
): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  let read = 0;
  try {
    while (reader) {
      const { value, done } = await within(reader.read(), timeoutMs, timedOut);
      if (done) break;
      read += value.length;
      yield value;
    }
    if (read !== length) throw new Error(`${read} of ${length} bytes`);
  } catch (cause) {
    throw new StoreFault(`GET ${name}: broken off`, { passes: true, cause });
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

function lengthOf(answer: Response, name: string): number {
  const length = Number(answer.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new StoreFault(`${name}: a length is missing`);
  return length;
}

async function removeSome(client: S3Client, keys: readonly string[]): Promise<void> {
  const body = Buffer.from(deletionOf(keys));
  const hash = (name: string) => createHash(name).update(body);
  const left = readAnswer(
    'a deletion',
    readDeletion,
    await client.ask({
      method: 'POST',
      query: { delete: '' },
      // Most stores require Content-MD5 for deletions, although the signature contains a digest.
      headers: { 'content-md5': hash('md5').digest('base64'), 'content-type': 'application/xml' },
      body,
      digest: hash('sha256').digest('hex'),
    }),
  );
  if (left) throw new StoreFault(`DELETE ${left.key}: ${left.code}`);
}

function readAnswer<Result>(what: string, read: (xml: string) => Result, xml: string): Result {
  try {
    return read(xml);
  } catch (cause) {
    throw new StoreFault(`${what} that cannot be read`, { cause });
  }
}
