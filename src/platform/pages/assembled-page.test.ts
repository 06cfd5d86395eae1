import { crc32, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import t from 'tap';
import { AssembledPage, ownMarker, personalMarker } from './assembled-page.ts';
import { combineCrc32, combineOperator } from './crc32-combine.ts';
import { compressedFragment, storedFragment } from './fragment.ts';

function serve(page: AssembledPage, personal: () => string, own: () => string[] = () => []) {
  const app = Fastify();
  app.get('/', (request, reply) => {
    const texts = own().map((html) => compressedFragment(html));
    return page.send(request, reply, storedFragment(personal()), texts);
  });
  return app;
}

t.test('combines the CRC of two texts from the CRC of each', async (t) => {
  for (const [first, second] of [
    ['', ''],
    ['a', ''],
    ['', 'b'],
    ['prépa', 'concours'],
    ['x'.repeat(70_000), 'é'.repeat(33_333)],
  ] as const) {
    const [a, b] = [Buffer.from(first), Buffer.from(second)];
    t.equal(combineCrc32(crc32(a), crc32(b), combineOperator(b.length)), crc32(Buffer.concat([a, b])));
  }
});

t.test('the assembled response is one gzip member with the complete page', async (t) => {
  const page = new AssembledPage(`<p>é</p>${'<b>avant</b>'.repeat(500)}${personalMarker}${'<i>après</i>'.repeat(3000)}`, 'v1');
  let personal = '';
  const app = serve(page, () => personal);
  for (personal of ['', 'Bienvenue Élodie', 'x'.repeat(0xffff), 'y'.repeat(200_000)]) {
    const answer = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, deflate, br' } });
    t.equal(answer.headers['content-encoding'], 'gzip');
    t.equal(gunzipSync(answer.rawPayload).toString(), `<p>é</p>${'<b>avant</b>'.repeat(500)}${personal}${'<i>après</i>'.repeat(3000)}`);
  }
});

t.test("fills the markers with the learner's own parts, in order", async (t) => {
  const page = new AssembledPage(`a${personalMarker}b${ownMarker}c${ownMarker}`, 'v1');
  let own = ['<p>é</p>'.repeat(900), ''];
  const app = serve(
    page,
    () => '-',
    () => own,
  );
  const ask = () => app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } });
  const first = await ask();
  t.equal(gunzipSync(first.rawPayload).toString(), `a-b${own[0]}c`);
  t.ok(first.rawPayload.length < 500, 'the own parts of the learner are compressed');
  own = ['', own[0] ?? ''];
  const second = await ask();
  t.equal(gunzipSync(second.rawPayload).toString(), `a-bc${own[1]}`);
  t.not(second.headers.etag, first.headers.etag);
  own = ['alone'];
  t.equal((await ask()).statusCode, 500, 'an unfilled marker is an error');
});

t.test('the personal part is not compressed: it is readable in the response', async (t) => {
  const name = 'Bienvenue Élodie, et merci. '.repeat(9);
  const app = serve(new AssembledPage(`${name}${personalMarker}${name}`, 'v1'), () => name);
  const { rawPayload } = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } });
  t.ok(rawPayload.includes(name));
});

t.test('sends the uncompressed page to clients without gzip', async (t) => {
  const app = serve(new AssembledPage(`a${personalMarker}b`, 'v1'), () => '-');
  for (const encoding of [undefined, 'identity', 'br', 'gzip;q=0', 'br, gzip;q=0.0, identity']) {
    const answer = await app.inject({ url: '/', headers: encoding ? { 'accept-encoding': encoding } : {} });
    t.equal(answer.headers['content-encoding'], undefined, `accept-encoding ${encoding}`);
    t.equal(answer.body, 'a-b');
  }
});

t.test('sends 304 for an unchanged page, but not for another person or version', async (t) => {
  let personal = 'Aïcha';
  const app = serve(new AssembledPage(`a${personalMarker}b`, 'v1'), () => personal);
  const first = await app.inject({ url: '/' });
  const headers = { 'if-none-match': String(first.headers.etag) };
  t.equal((await app.inject({ url: '/', headers })).statusCode, 304);
  personal = 'Paul';
  t.equal((await app.inject({ url: '/', headers })).statusCode, 200);
  for (const [html, version] of [
    [`a${personalMarker}b`, 'v2'],
    [`à${personalMarker}b`, 'v1'],
    [`a${personalMarker}c`, 'v1'],
    [`a${personalMarker}b${ownMarker}`, 'v1'],
  ] as const) {
    const changed = serve(
      new AssembledPage(html, version),
      () => 'Aïcha',
      () => [''],
    );
    t.equal((await changed.inject({ url: '/', headers })).statusCode, 200, `${html} of ${version}`);
  }
});
