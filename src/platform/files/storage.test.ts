// Slow: it fills a store with more files than one listing returns.
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { openS3Server } from '../../../test/support/s3-server.ts';
import { loadConfig } from '../../config.ts';
import { openFileStores } from './open-stores.ts';
import type { FileStores } from './storage.ts';

// The guarantees of both kinds of store: the local folder, and an S3 server that checks signatures.

const s3 = await openS3Server(t.testdir({}));
t.teardown(() => s3.close());

const kinds: Record<string, (t: Test) => FileStores> = {
  'a folder': (t) => openFileStores(loadConfig({ NODE_ENV: 'test', DATA_DIR: t.testdir({}) })),
  'an S3 store': () => openFileStores(loadConfig({ NODE_ENV: 'test', ...s3.env, S3_PREFIX: `essais/${randomUUID()}` })),
};
const later = () => new Date(Date.now() + 60_000);
async function namesIn(names: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const name of names) all.push(name);
  return all.sort();
}

for (const [kind, open] of Object.entries(kinds)) {
  t.test(`${kind}: a written file is complete and exists only under its name`, async (t) => {
    const { media, documents } = open(t);
    const name = `content/${'a'.repeat(32)}.webp`;
    t.same([await media.has(name), await media.size(name), await media.read(name)], [false, null, null]);
    await media.write(name, Buffer.from('une image'));
    t.same([await media.has(name), await media.size(name), String(await media.read(name))], [true, 9, 'une image']);
    await media.write(name, Buffer.from('une image'));
    t.equal(await media.size(name), 9, 'a file can be written twice');
    t.equal(await documents.has(name), false, 'the stores are separate');
    t.same([await media.has('content'), await media.size('content')], [false, null], 'a folder is not a file');
    await media.write('content/vide.webp', Buffer.alloc(0));
    t.same([await media.size('content/vide.webp'), await media.read('content/vide.webp')], [0, Buffer.alloc(0)]);
    const large = Buffer.alloc(10 * 1024 * 1024, 'prepa');
    await documents.write('grand.pdf', large);
    t.ok((await documents.read('grand.pdf'))?.equals(large));
  });

  t.test(`${kind}: removes files and ignores missing ones`, async (t) => {
    const { media } = open(t);
    const names = ['covers/a.webp', 'covers/b.webp', 'content/c.webp'];
    for (const name of names) await media.write(name, Buffer.from(name));
    await media.remove([]);
    await media.remove(['covers/a.webp', 'covers/absent.webp', 'content/c.webp']);
    t.same(await Promise.all(names.map((name) => media.has(name))), [false, true, false]);
    await media.remove(names);
    await media.remove(names);
    t.same(await namesIn(media.list('covers', later())), []);
  });

  t.test(`${kind}: lists the files of one folder that are older than an instant`, async (t) => {
    const { media, documents } = open(t);
    t.same(
      [await namesIn(media.list('covers', later())), await namesIn(documents.list('', later())), await media.isEmpty()],
      [[], [], true],
    );
    for (const name of ['covers/a.webp', 'covers/b.webp', 'covers/deeper/c.webp', 'coversd.webp', 'content/d.webp'])
      await media.write(name, Buffer.from(name));
    await documents.write('e.pdf', Buffer.from('e'));
    t.same(await namesIn(media.list('covers', later())), ['covers/a.webp', 'covers/b.webp']);
    t.same(await namesIn(media.list('', later())), ['coversd.webp']);
    t.same(await namesIn(documents.list('', later())), ['e.pdf']);
    t.same(await namesIn(media.list('covers', new Date(Date.now() - 60_000))), []);
    t.equal(await media.isEmpty(), false);
  });
}

t.test('an S3 store handles more files than one listing or one deletion can', async (t) => {
  const { media } = open(t);
  const names = Array.from({ length: 1_203 }, (_, index) => `covers/${String(index).padStart(4, '0')}.webp`);
  for (let start = 0; start < names.length; start += 50)
    await Promise.all(names.slice(start, start + 50).map((name) => media.write(name, Buffer.from('x'))));
  t.same(await namesIn(media.list('covers', later())), names);
  await media.remove(names);
  t.equal(await media.isEmpty(), true);
});

t.test('an S3 store streams ranges of a file', async (t) => {
  const { documents } = open(t);
  await documents.write('a.pdf', Buffer.from('0123456789'));
  const { source } = documents;
  if ('folder' in source) return t.fail('the S3 store has no folder');
  const part = async (from: number, to?: number) => {
    const opened = await source.open('a.pdf', { from, ...(to !== undefined && { to }) });
    return [opened?.range, opened?.length, opened && String(await buffer(opened.body))];
  };
  t.same(await part(2, 4), ['bytes 2-4/10', 3, '234']);
  t.same(await part(7), ['bytes 7-9/10', 3, '789']);
  t.same(await part(7, 700), ['bytes 7-9/10', 3, '789']);
  await t.rejects(part(10), { status: 416, code: 'REQUEST.RANGE' });
  t.equal(await source.open('absent.pdf'), null);
});

t.test('a signed address is valid for one file until its expiry and contains no secret', async (t) => {
  const { documents } = open(t);
  await documents.write('a.pdf', Buffer.from('un document'));
  const { source } = documents;
  if ('folder' in source) return t.fail('the S3 store has no folder');
  const address = await source.signedAddress('a.pdf', { type: 'application/pdf', disposition: 'attachment; filename="Fiche.pdf"' });
  const answer = await fetch(String(address));
  t.same(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition'), await answer.text()],
    [200, 'application/pdf', 'attachment; filename="Fiche.pdf"', 'un document'],
  );
  t.notMatch(address, s3.env.S3_SECRET_ACCESS_KEY);
  t.equal((await fetch(String(address).replace('a.pdf?', 'b.pdf?'))).status, 403, 'the address is refused for another file');
  t.equal((await fetch(String(address).replace('Expires=300', 'Expires=3000'))).status, 403, 'the address is refused with another expiry');
  t.equal((await fetch(String(address).split('?')[0] ?? '')).status, 403, 'the address is refused without its signature');
});

function open(_t: Test): FileStores {
  return kinds['an S3 store']?.(_t) as FileStores;
}
