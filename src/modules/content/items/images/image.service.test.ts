import sharp from 'sharp';
import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../../test/support/factories.ts';
import { picture, upload } from '../../../../../test/support/multipart.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { dayMs } from '../../../../shared/dates.ts';
import { removeUnusedImages } from './image.service.ts';

// Images in texts: uploaded, pasted as data URLs, referenced by items and their versions, removed when no text shows them.

const site = await createTestApp(t);
const { app, clock, kernel } = site;
let { session } = await createAdministrator(site);

const later = async (days: number) => {
  clock.advance(days * dayMs);
  session = (await createAdministrator(site)).session;
};
const sweep = () => removeUnusedImages(kernel.fork(), kernel.context);
const send = async (image: Buffer | null, fileName?: string) => {
  const answer = await upload(app, { method: 'POST', url: '/api/images', image, session, ...(fileName ? { fileName } : {}) });
  return { status: answer.statusCode, body: answer.json() };
};
const isStored = (src: string) => kernel.context.files.has(src.replace('/media/', ''));
const areStored = (addresses: string[]) => Promise.all(addresses.map(isStored));
const lesson = async (form: object) => {
  const { id: discipline_id } = await createDiscipline(site);
  const answer = await call(app, { method: 'POST', url: '/api/lecons', session, payload: { titre: 'Une leçon', discipline_id, ...form } });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json();
};
const save = async (id: number, form: object) =>
  (await call(app, { method: 'PUT', url: `/api/lecons/${id}`, session, payload: { titre: 'Une leçon', ...form } })).json();
const img = (src: string, alt = 'Une courbe') => `<p>Voici : <img src="${src}" alt="${alt}" loading="lazy" decoding="async"></p>`;

t.test('uploads of the four formats are recognised by their bytes', async (t) => {
  const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: '#0274d9' } });
  for (const format of ['jpeg', 'png', 'gif', 'webp'] as const) {
    const { status, body } = await send(await drawn.clone().toFormat(format).toBuffer(), 'sans-nom.exe');
    t.equal(status, 201, format);
    t.match(body, { src: /^\/media\/content\/[0-9a-f]{32}\.webp$/, width: 40, height: 30 });
    t.ok(await isStored(body.src));
  }
  const otherFormat = "L'image doit être au format JPG, PNG, GIF ou WebP.";
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');
  for (const [name, bytes, message] of [
    ['SVG', svg, otherFormat],
    ['TIFF', await drawn.clone().tiff().toBuffer(), otherFormat],
    ['HTML', Buffer.from('<script>'), otherFormat],
    ['a GIF of its signature', Buffer.from('GIF89a'), "L'image est illisible."],
    ['a WebP cut off', (await drawn.clone().webp().toBuffer()).subarray(0, 30), "L'image est illisible."],
  ] as const) {
    t.match(await send(bytes), { status: 400, body: { message, imageError: message } }, name);
  }
  t.match(await send(Buffer.alloc(2 * 1024 * 1024 + 1)), { status: 413, body: { imageError: "L'image dépasse 2 Mo." } });
  t.match(await send(null), { status: 400, body: { imageError: "L'image est obligatoire" } });
});

t.test('a data URL in a text becomes a stored image with its size, and an unreadable image is reported and removed', async (t) => {
  const bytes = await picture('#112233', 50, 20);
  const data = `data:image/png;base64,${bytes.toString('base64')}`;
  const item = await lesson({ contenu: `${img(data)}<figure><img src="${data}" alt=""><figcaption>Légende</figcaption></figure>` });
  t.same(item.remarques, []);
  const src = /src="(\/media\/content\/[^"]+)"/.exec(item.contenu)?.[1] as string;
  t.ok(await isStored(src));
  const shown = `<img src="${src}" alt="Une courbe" width="50" height="20" loading="lazy" decoding="async">`;
  t.equal(item.contenu, `<p>Voici : ${shown}</p><figure>${shown.replace('Une courbe', '')}<figcaption>Légende</figcaption></figure>`);
  t.same(await sql(site.databaseUrl, 'select image_name from item_image where item_id = $1', [item.id]), [{ image_name: src.slice(7) }]);

  const broken = 'data:image/png;base64,iVBORw0KGgo=';
  const gone = '/media/content/00000000000000000000000000000000.webp';
  const poor = await save(item.id, {
    contenu: `${img(broken, 'La première')}${img(gone)}${img('/media/covers/x-960.webp')}<figure><img src="${broken}" alt=""><figcaption>Sa légende</figcaption></figure>${img('https://exemple.cm/a.png')}`,
  });
  t.equal(
    poor.contenu,
    `<p>Voici : </p><p>Voici : </p><p>Voici : </p><p>Sa légende</p>${img('https://exemple.cm/a.png')}`,
    'no image is broken, and all text remains',
  );
  t.match(poor.remarques, [
    /^Image retirée \(La première\) : L'image est illisible\.$/,
    /^Image retirée \(Une courbe\) : elle n'est pas, ou plus, sur le site/,
    /^Image retirée : L'image est illisible\.$/,
    /^Une image reste sur un autre site/,
  ]);
  const alone = await save(item.id, { contenu: { type: 'doc', content: [{ type: 'figure', attrs: { src: gone } }] } });
  t.equal(alone.contenu, '', 'a text that held only a removed image is empty');
  const question = choiceQuestion({
    id: 'imagechoices',
    statement: 'Laquelle ?',
    choices: [
      { id: 'imagechoice1', text: 'La première', right: true, remark: 'Une remarque' },
      { id: 'imagechoice2', text: 'La seconde' },
    ],
  }).replace('<p>La première</p>', `<figure><img src="${gone}" alt=""></figure>`);
  t.match(question, gone);
  t.match(
    await save(item.id, { contenu: question }),
    { remarques: [/^Image retirée/], contenu: /Une remarque/ },
    'a choice of only a picture',
  );
  const many = await call(app, {
    method: 'PUT',
    url: `/api/lecons/${item.id}`,
    session,
    payload: { titre: 'Une leçon', contenu: '<p><img src="https://exemple.cm/a.png"></p>'.repeat(201) },
  });
  t.match(many.json(), { errors: [{ field: 'contenu', message: 'Le texte montre plus de 200 images : partagez-le.' }] });
});

t.test('an image is kept while a text or version shows it or for a week, then removed', async (t) => {
  const [shown, earlier, unused] = await Promise.all(
    ['#000001', '#000002', '#000003'].map(async (colour) => (await send(await picture(colour))).body.src as string),
  );
  if (!shown || !earlier || !unused) return;
  const item = await lesson({ contenu: img(earlier) });
  await save(item.id, { contenu: img(shown) });
  await sweep();
  t.same(await areStored([shown, earlier, unused]), [true, true, true], 'images stay for a week, since an unsaved text may show them');
  await later(8);
  await sweep();
  t.same(
    await areStored([shown, earlier, unused]),
    [true, true, false],
    'an image of an earlier version stays, an unused image is removed',
  );
  t.equal((await call(app, { url: unused })).statusCode, 404);
  t.match((await save(item.id, { contenu: img(unused) })).remarques, [/^Image retirée/]);

  // Shown by a second text, and by a third text that is not saved yet.
  const second = await lesson({ contenu: img(shown) });
  await call(app, { method: 'DELETE', url: `/api/lecons/${item.id}`, session });
  t.same(await areStored([shown, earlier]), [true, false]);
  await call(app, { method: 'DELETE', url: `/api/lecons/${second.id}`, session });
  t.ok(await isStored(shown), 'the image was used today, so an unsaved text may still use it');
  await later(8);
  await sweep();
  t.notOk(await isStored(shown));
});

t.test('a new upload or use of an image restarts its week', async (t) => {
  const bytes = await picture('#00ff01');
  const { src } = (await send(bytes)).body;
  await later(6);
  const named = await lesson({ contenu: img(src) });
  await call(app, { method: 'DELETE', url: `/api/lecons/${named.id}`, session });
  await later(6);
  await sweep();
  t.ok(await isStored(src));
  await send(bytes);
  await later(6);
  await sweep();
  t.ok(await isStored(src));
  await later(2);
  await send(await picture('#00ff02'));
  t.notOk(await isStored(src), 'an upload removes unused images');
});

t.test('one image uploaded, saved, deleted and pruned concurrently: the remaining text still shows it', async (t) => {
  const bytes = await picture('#abcdef');
  const { src } = (await send(bytes)).body;
  await later(8);
  const [item] = await Promise.all([
    lesson({ contenu: img(`data:image/png;base64,${bytes.toString('base64')}`) }),
    ...Array.from({ length: 8 }, () => sweep()),
    ...Array.from({ length: 3 }, () => send(bytes)),
  ]);
  t.match(item.contenu, src);
  t.ok(await isStored(src));
});

t.test('an image that would need too much memory is refused before it is decoded', async (t) => {
  const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#be0050' } });
  const large = await send(await flat(3000, 3000).gif().toBuffer());
  t.match(large, {
    status: 400,
    body: { imageError: "L'image est trop grande : 3 000 × 3 000 pixels. Réduisez-la à 2 000 × 2 000 au plus." },
  });
  const frames = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      sharp({ create: { width: 1000, height: 900, channels: 3, background: { r: index * 8, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();
  t.match((await send(moving)).body.imageError, /^L'image est trop grande : 1 000 × 900 pixels\./);
});
