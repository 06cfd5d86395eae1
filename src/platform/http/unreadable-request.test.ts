import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';

// Bytes that cannot be parsed reach no route and no error handler, but the response is in French too.

const { app } = await createTestApp(t);
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
const port = typeof address === 'object' && address ? address.port : 0;

/** Sends bytes and returns everything received until the connection closes. */
async function answerTo(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect({ host: '127.0.0.1', port });
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = said.split('\r\n\r\n');
  return { head, body };
}

t.test('an address that is too long, such as a search for a long text', async (t) => {
  const { head, body } = await answerTo(`GET /user/recherche?q=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  t.match(head, /^HTTP\/1\.1 431 /);
  t.match(head, /^content-type: text\/html; charset=utf-8$/im);
  t.match(body, /<html lang="fr">/);
  t.match(body, '<h1>Adresse trop longue</h1>');
});

t.test('a request that is not HTTP', async (t) => {
  const { head, body } = await answerTo('GET / HTTP/1.1\r\nHost : a b\r\nb@d: 1\r\n\r\n');
  t.match(head, /^HTTP\/1\.1 400 /);
  t.match(body, '<h1>Requête invalide</h1>');
  t.match(head, new RegExp(`^content-length: ${Buffer.byteLength(body)}$`, 'im'), 'Content-Length counts the complete body');
});

t.test('no response to a client that disconnects', async (t) => {
  const socket = connect({ host: '127.0.0.1', port });
  socket.write('GET / HTTP/1.1\r\nHost: loc');
  socket.resetAndDestroy();
  await once(socket, 'close');
  t.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200, 'the site still responds');
});
