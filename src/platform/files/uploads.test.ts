import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyError } from 'fastify';
import t, { type Test } from 'tap';
import { seedOfRun } from '../../../test/support/random.ts';
import { toAppError } from '../http/error-handler.ts';
import { readUpload, registerUploads } from './uploads.ts';

const boundary = 'limite';
const mebibyte = 1024 * 1024;
const field = (name: string, value: string | Buffer, type = '') =>
  part(`form-data; name="${name}"${type ? `\r\nContent-Type: ${type}` : ''}`, value);
const file = (name: string, bytes: string | Buffer, filename = 'x.png') =>
  part(`form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/png`, bytes);
const part = (disposition: string, body: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]);
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);

/** Starts a server that responds with the form that it has read. Returns a function that sends a form. */
async function receiver(t: Test) {
  const app = Fastify();
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const { status, message, imageError, errors } = toAppError(error, request);
    return reply.code(status).send({ message, imageError, errors });
  });
  await registerUploads(app);
  app.post('/', async (request) => {
    const { fields, image } = await readUpload(request);
    return { fields, image: image ? image.length : null };
  });
  t.teardown(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return async (body: BodyInit | Buffer | undefined, type = `multipart/form-data; boundary=${boundary}`) => {
    const headers = type ? { 'content-type': type } : {};
    const answer = await fetch(url, { method: 'POST', headers, body: body as BodyInit, duplex: 'half' } as RequestInit);
    return { status: answer.status, ...((await answer.json()) as Record<string, unknown>) };
  };
}

const malformed = 'Requête invalide. Vérifiez les informations envoyées.';
const tooHeavy = { status: 413, message: "L'image dépasse 2 Mo.", imageError: "L'image dépasse 2 Mo." };

t.test('reads text fields and a file, no file, and a file of exactly the largest size', async (t) => {
  const send = await receiver(t);
  t.match(await send(form(field('nom', 'ENS Yaoundé'), field('prix', '15000'), file('image', 'abc'))), {
    status: 200,
    fields: { nom: 'ENS Yaoundé', prix: '15000' },
    image: 3,
  });
  t.match(await send(form(file('image', '', ''), field('nom', 'x'))), { status: 200, fields: { nom: 'x' }, image: null });
  t.match(await send(form(field('image', ''))), { status: 200, fields: {}, image: null }, 'an empty text in place of the file');
  t.match(await send(form(file('image', '', 'vide.png'))), { status: 200, image: 0 }, 'an empty file was chosen');
  t.match(await send(form(file('image', Buffer.alloc(2 * mebibyte)))), { status: 200, image: 2 * mebibyte });
});

t.test('a form that is too large gets its response while being sent, and the connection stays open', async (t) => {
  const send = await receiver(t);
  t.match(await send(form(file('image', Buffer.alloc(2 * mebibyte + 1)))), tooHeavy, 'a file one byte too large');
  t.match(await send(form(file('image', Buffer.alloc(3 * mebibyte)))), tooHeavy, 'a file of 3 MB');
  t.match(await send(form(file('image', Buffer.alloc(30 * mebibyte)))), tooHeavy, 'a file of 30 MB');
  const unannounced = (opening: Buffer) =>
    Readable.toWeb(Readable.from([opening.subarray(0, -2), ...Array(30).fill(Buffer.alloc(mebibyte))])) as unknown as BodyInit;
  t.match(await send(unannounced(file('image', ''))), tooHeavy, 'a file of 30 MB without Content-Length');
  t.match(await send(unannounced(field('nom', ''))), tooHeavy, 'a text field of 30 MB without Content-Length');
  t.match(await send(form(field('nom', ''), Buffer.alloc(4 * mebibyte, 'x'))), tooHeavy, 'bytes after the last part');
  t.match(await send(form(field('nom', 'x'))), { status: 200 });
});

t.test('disconnects a client that never stops sending', async (t) => {
  const app = Fastify();
  await registerUploads(app);
  app.post('/', async (request) => readUpload(request));
  t.teardown(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const answered = once(socket, 'data');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(mebibyte))) sent += 1;
  };
  socket.on('drain', send);
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 9000000000\r\n\r\n`,
  );
  send();
  t.match(String((await answered)[0]), /^HTTP\/1.1 413 /);
  await closed;
  t.ok(sent < 200, `the client sent ${sent} MB before the server closed the connection`);
});

t.test('malformed forms get a 4xx response in French', async (t) => {
  const send = await receiver(t);
  const whole = form(field('nom', 'x'), file('image', 'abc'));
  const refused: Record<string, BodyInit | Buffer> = {
    'cut off in the file': whole.subarray(0, -20),
    'cut off in a header': whole.subarray(0, 40),
    'a field twice': form(field('nom', 'x'), field('nom', 'y')),
    'two files': form(file('image', 'abc'), file('image', 'def')),
    'a file under another name': form(file('photo', 'abc')),
    'a file without a name': form(part('form-data; filename="x.png"', 'abc')),
    'a text without a name': form(part('form-data', 'abc')),
    'too many fields': form(...Array.from({ length: 11 }, (_, index) => field(`f${index}`, 'x'))),
    'too many parts': form(...Array.from({ length: 40 }, (_, index) => file(`f${index}`, 'x'))),
    'a field named __proto__': form(field('__proto__', 'x')),
    'a file named constructor': form(file('constructor', 'x')),
    'JSON in a part': form(field('nom', '{"a":1}', 'application/json')),
    'broken JSON in a part': form(field('nom', '{', 'application/json')),
    'no part at all': Buffer.from('bonjour'),
  };
  for (const [name, body] of Object.entries(refused)) t.match(await send(body), { status: 400, message: malformed }, name);
  t.match(await send(form(field('nom', 'x'.repeat(30_000)))), {
    status: 400,
    errors: [{ field: 'nom', message: 'Ce texte est trop long' }],
  });
  const imageError = "L'image doit être envoyée comme un fichier.";
  t.match(await send(form(field('image', 'abc'))), { status: 400, imageError }, 'the image as a text field');
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'x'.repeat(300)}`]) {
    t.match(await send(whole, type), { status: 400, message: malformed }, type);
  }
  for (const type of [
    'application/json',
    'text/plain',
    'multipart/mixed; boundary=limite',
    'image/png',
    'application/x-www-form-urlencoded',
  ]) {
    t.match(await send('{}', type), { status: 415, message: "Ce format d'envoi n'est pas pris en charge." }, type);
  }
  t.match(await send(undefined, ''), { status: 415 }, 'a request without a body');
});

t.test('reads unusual but valid forms', async (t) => {
  const send = await receiver(t);
  t.match(await send(form(field('nom', Buffer.from([0xff, 0xfe, 0x41])), file('image', 'abc', '../../\0\u202e.php'))), {
    status: 200,
    fields: { nom: '\ufffd\ufffdA' },
    image: 3,
  });
  t.match(await send(form(field('nom', 'x', 'text/plain; charset=klingon'))), { status: 200, fields: { nom: 'x' } });
  const nested = `--dedans\r\nContent-Disposition: file; filename="a.png"\r\n\r\nabc\r\n--dedans--`;
  t.match(
    await send(form(field('nom', nested, 'multipart/mixed; boundary=dedans'))),
    { status: 200, image: null },
    'a nested multipart field is a text',
  );
});

t.test('damaged forms never hang and never cause a 5xx', async (t) => {
  const send = await receiver(t);
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const whole = form(
    field('nom', 'Préparation'),
    file('image', Buffer.alloc(300, 7)),
    field('prix', '15000', 'text/plain; charset=latin1'),
  );
  const interesting = [
    '\r\n',
    '--',
    boundary,
    `\r\n--${boundary}\r\n`,
    `\r\n--${boundary}--`,
    ';',
    '"',
    ':',
    '\0',
    '\r',
    '\n\n',
    'name=',
    '%00',
    '=',
  ];
  for (let round = 0; round < 300; round += 1) {
    let body = Buffer.from(whole);
    for (let change = random(4); change >= 0; change -= 1) {
      const [at, until] = [random(body.length), random(body.length)];
      const inserted = Buffer.from(interesting[random(interesting.length)] ?? '');
      if (random(3) === 0) body = Buffer.concat([body.subarray(0, Math.min(at, until)), body.subarray(Math.max(at, until))]);
      else body = Buffer.concat([body.subarray(0, at), inserted, body.subarray(at + random(20))]);
      if (body.length === 0) body = Buffer.from(whole);
    }
    const { status, message } = (await send(body)) as { status: number; message?: string };
    if (status !== 200 && (status !== 400 || !message)) t.fail(`round ${round}: ${status} ${message}`);
  }
});
