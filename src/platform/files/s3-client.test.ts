import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { S3Client } from './s3-client.ts';

t.test('times out when a response stops half-way', async (t) => {
  const store = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml' }).write('<ListBucketResult>');
  });
  store.listen(0, '127.0.0.1');
  await once(store, 'listening');
  t.teardown(() => {
    store.closeAllConnections();
    store.close();
  });
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const client = new S3Client(
    {
      endpoint,
      publicEndpoint: endpoint,
      region: 'us-east-1',
      bucket: 'prepa',
      prefix: '',
      pathStyle: true,
      accessKeyId: 'a',
      secretAccessKey: 'b',
      signedSeconds: 300,
      timeoutMs: 200,
    },
    { info() {}, error() {} },
  );
  await t.rejects(client.ask({ method: 'GET', query: { 'list-type': '2' } }), /broken off/);
});
