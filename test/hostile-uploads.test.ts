// Slow: a server decodes pictures that are made to be expensive.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { createAdministrator } from './support/factories.ts';
import { chunk, heaviest, noise, plainPng, textBombs, withChunks, withJpegMetadata, zip } from './support/hostile-images.ts';
import { isLongForm } from './support/long-form.ts';
import { seedOfRun } from './support/random.ts';
import { createWorld } from './support/world.ts';

// Sends hostile uploads to the built server: each is refused or cleaned, with a message in French, and leaves no files behind.

const mebibyte = 1024 * 1024;
/** Largest accepted memory above idle while the server processes all uploads, in bytes. */
const maxPeak = 100 * mebibyte;
/**
 * The release image's allocator settings: memory used for a picture is returned to the system instead of staying in the allocator's pools.
 */
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
const secret = 'SECRET-4f1c';

const format = "L'image doit être au format JPG ou PNG.";
const unreadable = "L'image est illisible.";
const tooHeavy = "L'image dépasse 2 Mo.";

interface Answer {
  status: number;
  id: number;
  image_url: string;
  imageError?: string;
  message?: string;
}

async function openServer(t: Test) {
  // UPLOADS=folder, so that the test can see files left in the server's folders.
  const world = await createWorld(t, { env: { UPLOADS: 'folder' } });
  const dataDir = t.testdir({ media: {}, temporary: {} });
  const server = await world.startServer({ ...allocator, DATA_DIR: dataDir, TMPDIR: join(dataDir, 'temporary') });
  const administrator = await createAdministrator(world);
  const send = async (method: 'POST' | 'PUT', path: string, fields: Record<string, string>, bytes: Buffer, name: string, type: string) => {
    const body = new FormData();
    for (const [key, value] of Object.entries(fields)) body.set(key, value);
    body.set('image', new Blob([new Uint8Array(bytes)], { type }), name);
    const headers = { authorization: `Bearer ${administrator.token}`, accept: 'application/json' };
    const answer = await fetch(server.url + path, { method, headers, body });
    return { ...((await answer.json()) as Omit<Answer, 'status'>), status: answer.status } satisfies Answer;
  };
  const fields = { nom: 'ENS Yaoundé', description: 'Le concours.', prix: '15000' };
  const status = (key: string) =>
    Number(new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024;
  return {
    server,
    create: (bytes: Buffer, name = 'x.png', type = 'image/png') =>
      send('POST', '/api/prepas', { ...fields, auteur: administrator.id }, bytes, name, type),
    update: (id: number, bytes: Buffer) => send('PUT', `/api/prepas/${id}`, fields, bytes, 'x.jpg', 'image/jpeg'),
    /** Returns every file that the server may have written, with size and time. */
    files: () =>
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`),
    stored: (url: string) => {
      const base = url.replace(/^\/media\//, '').replace(/-960\.webp$/, '');
      return Promise.all(['-480.webp', '-960.webp', '-og.jpg'].map((end) => readFile(join(dataDir, 'media', base + end))));
    },
    memory: () => status('VmRSS'),
    /** Returns the peak memory since `forgetPeak`. */
    peak: () => status('VmHWM'),
    forgetPeak: () => writeFileSync(`/proc/${server.child.pid}/clear_refs`, '5'),
  };
}

const { server, create, update, files, stored, memory, peak, forgetPeak } = await openServer(t);

t.test('a folder of hostile uploads', async (t) => {
  const photo = await noise(160, 90).jpeg().toBuffer();
  const png = await noise(160, 90).png().toBuffer();
  const first = await create(photo, 'photo.jpg', 'image/jpeg');
  t.match(first, { status: 201, image_url: /^\/media\/covers\/[0-9a-f]{32}-960\.webp$/ });
  // Idle memory is measured after some work, when the heap has its size for pages and ordinary covers.
  const ordinary = await noise(800, 600).png().toBuffer();
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(Array.from({ length: 25 }, async () => (await fetch(server.url)).arrayBuffer()));
    t.equal((await create(Buffer.concat([ordinary, Buffer.from([round])]))).status, 201);
  }
  forgetPeak();
  const idle = memory();

  const script =
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script><rect width="10" height="10"/></svg>';
  const gif = await sharp(png).gif().toBuffer();
  const heavy = withChunks(plainPng(640, 360), [chunk('prVt', Buffer.alloc(2 * mebibyte))]);
  const exact = (size: number) => {
    const empty = withChunks(plainPng(640, 360), [chunk('prVt')]);
    return withChunks(plainPng(640, 360), [chunk('prVt', Buffer.alloc(size - empty.length))]);
  };
  const tooLarge = (from: string, to: string) => `L'image est trop grande : ${from} pixels. Réduisez-la à ${to} au plus.`;
  const refused: Record<string, [bytes: Buffer, name: string, type: string, status: number, imageError: string]> = {
    'a GIF named PNG': [gif, 'x.png', 'image/png', 400, format],
    'a WebP named JPG': [await sharp(png).webp().toBuffer(), 'x.jpg', 'image/jpeg', 400, format],
    'a TIFF named JPG': [await sharp(png).tiff().toBuffer(), 'x.jpg', 'image/jpeg', 400, format],
    'an AVIF header named PNG': [Buffer.from('\0\0\0\x20ftypavif\0\0\0\0', 'latin1'), 'x.png', 'image/png', 400, format],
    'text named PNG': [Buffer.from('bonjour'), 'x.png', 'image/png', 400, format],
    'HTML named JPG': [Buffer.from('<!doctype html><script>alert(1)</script>'), 'x.jpg', 'image/jpeg', 400, format],
    'a PDF named PNG': [Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF'), 'x.png', 'image/png', 400, format],
    'an SVG with a script': [Buffer.from(script), 'x.svg', 'image/svg+xml', 400, format],
    'an SVG with a script named PNG': [Buffer.from(script), 'x.png', 'image/png', 400, format],
    'a GIF that is JavaScript': [
      Buffer.concat([Buffer.from('GIF89a/*'), gif, Buffer.from('*/=1;alert(1)')]),
      'x.jpg',
      'image/jpeg',
      400,
      format,
    ],
    'a ZIP named PNG': [zip(), 'x.png', 'image/png', 400, format],
    'an empty file': [Buffer.alloc(0), 'x.png', 'image/png', 400, format],
    'a PNG cut off': [png.subarray(0, png.length / 2), 'x.png', 'image/png', 400, unreadable],
    'a JPEG cut off': [photo.subarray(0, photo.length / 2), 'x.jpg', 'image/jpeg', 400, unreadable],
    'signatures alone': [png.subarray(0, 8), 'x.png', 'image/png', 400, unreadable],
    'HTML behind a signature': [Buffer.concat([photo.subarray(0, 3), Buffer.from(script)]), 'x.jpg', 'image/jpeg', 400, unreadable],
    '30,000 × 30,000': [plainPng(30_000, 30_000, { rows: 100 }), 'x.png', 'image/png', 400, tooLarge('30 000 × 30 000', '6 300 × 6 300')],
    '65,000 × 600': [plainPng(65_000, 600, { rows: 1 }), 'x.png', 'image/png', 400, tooLarge('65 000 × 600', '8 000 × 73')],
    'a valid PNG of 2 MiB and one byte': [exact(2 * mebibyte + 1), 'x.png', 'image/png', 413, tooHeavy],
    'a valid PNG of more': [heavy, 'x.png', 'image/png', 413, tooHeavy],
    'a JPEG of 30 MB': [Buffer.concat([photo, Buffer.alloc(30 * mebibyte)]), 'x.jpg', 'image/jpeg', 413, tooHeavy],
  };
  for (const [name, [bytes, filename, type, status, imageError]] of Object.entries(refused)) {
    const before = files();
    const answer = await create(bytes, filename, type);
    t.match(answer, { status, imageError }, name);
    t.same(files(), before, `${name}: uploads and temporary files as before`);
    t.match(await update(first.id, bytes), { status, imageError }, `${name}, to replace a cover`);
    t.same(files(), before);
  }
  t.equal((await stored(first.image_url)).length, 3, 'the cover is not replaced');

  const cleaned: Record<string, Buffer> = {
    'a valid PNG of 2 MiB': exact(2 * mebibyte),
    'a JPEG with 1 MB of metadata': withJpegMetadata(photo, secret, 1_000_000),
    'a PNG with a text': withChunks(png, [chunk('tEXt', Buffer.from(`Comment\0${secret}`))]),
    'a PNG with 1.2 GB of texts, compressed': withChunks(plainPng(640, 360), textBombs(300)),
    'a JPEG and a ZIP': Buffer.concat([photo, zip(), Buffer.from(secret)]),
    'a PNG and HTML': Buffer.concat([png, Buffer.from(`<script>${secret}</script>`)]),
    'a JPEG with HTML in its comment': withJpegMetadata(photo, `<script>alert("${secret}")</script>`, 2000),
    ...(await heaviest()),
  };
  for (const [name, bytes] of Object.entries(cleaned)) {
    const answer = await create(bytes, 'x.html', 'text/html');
    t.equal(answer.status, 201, `${name}: ${answer.imageError}`);
    if (answer.status !== 201) continue;
    const kept = await stored(answer.image_url);
    t.notOk(
      kept.some((file) => file.includes(secret) || file.includes('<script') || file.includes('PK\x03\x04')),
      name,
    );
    const looks = await Promise.all(kept.map((file) => sharp(file).metadata()));
    t.same(
      looks.map(({ format, width, exif, xmp, iptc, comments }) => [format, width, exif ?? xmp ?? iptc ?? comments]),
      [
        ['webp', 480, undefined],
        ['webp', 960, undefined],
        ['jpeg', 1200, undefined],
      ],
      name,
    );
  }

  t.ok(peak() - idle <= maxPeak, `idle ${idle / mebibyte} MB, and ${(peak() - idle) / mebibyte} MB more at most`);
});

t.test('random damage: never a server error, always a message in French', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const small = noise(48, 27);
  const valid = await Promise.all([
    small.clone().png().toBuffer(),
    small.clone().png({ progressive: true, palette: true }).toBuffer(),
    small.clone().jpeg().toBuffer(),
    small.clone().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
  ]);
  const damage = (source: Buffer): Buffer => {
    let bytes = Buffer.from(source);
    for (let change = random(6); change >= 0; change -= 1) {
      // Headers are small and matter most, so half of the changes are in the first 64 bytes.
      const at = random(random(2) ? Math.min(64, bytes.length) : bytes.length);
      const kind = random(5);
      if (kind === 0) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(40))]);
      else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length))]);
      else if (bytes.length > 0) bytes[at] = kind === 2 ? 0xff : random(256);
    }
    return bytes;
  };
  const rounds = isLongForm ? 200 : 60;
  let refusals = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = files();
    const { status, imageError } = await create(damage(valid[round % valid.length] ?? Buffer.alloc(0)));
    if (status === 201) continue;
    refusals += 1;
    if (status !== 400 || !/^L'image (est|doit) /.test(imageError ?? '')) t.fail(`round ${round}: ${status} ${imageError}`);
    if (files().join() !== before.join()) t.fail(`round ${round}: something stayed behind`);
  }
  t.ok(refusals > rounds / 4, `${refusals} of ${rounds} refused`);
  t.equal(server.output().match(/"level":[56]0/), null, 'no error in the log');
});
