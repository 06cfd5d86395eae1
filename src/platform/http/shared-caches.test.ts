import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import t from 'tap';
import { sharedCaches } from './shared-caches.ts';

async function siteWith(strict: boolean) {
  const app = Fastify();
  await app.register(cookie);
  await app.register(sharedCaches, { strict });
  const cases: Record<string, { control?: string; cookie?: boolean; anonymous?: boolean }> = {
    '/file': { control: 'public, max-age=60', anonymous: true },
    '/plain': {},
    '/own': { control: 'private, no-cache', cookie: true },
    '/secret': { control: 'no-store', cookie: true },
    '/cookie-for-all': { control: 'public, max-age=60', cookie: true, anonymous: true },
    '/cookie-for-proxies': { control: 's-maxage=60', cookie: true, anonymous: true },
    '/cookie-unsaid': { cookie: true },
    '/looked-up': { control: 'public, max-age=60' },
  };
  for (const [url, { control, cookie, anonymous = false }] of Object.entries(cases)) {
    app.get(url, { config: { anonymous } }, async (_request, reply) => {
      if (control) reply.header('cache-control', control);
      if (cookie) reply.setCookie('token', 'secret');
      return reply.send('text');
    });
  }
  return app;
}

t.test('outside production, a cookie or a session read in a publicly cacheable response causes an error', async (t) => {
  const app = await siteWith(true);
  for (const url of ['/file', '/plain', '/own', '/secret']) t.match(await app.inject(url), { statusCode: 200, body: 'text' }, url);
  for (const url of ['/cookie-for-all', '/cookie-for-proxies', '/cookie-unsaid']) {
    t.match(await app.inject(url), { statusCode: 500, body: `GET ${url}: a shared cache would keep a cookie` }, url);
  }
  t.match(await app.inject('/looked-up'), { statusCode: 500, body: 'GET /looked-up: a session was looked up for a public answer' });
});

t.test('in production, a publicly cacheable response with a cookie or a session read becomes private', async (t) => {
  const app = await siteWith(false);
  for (const url of ['/cookie-for-all', '/cookie-for-proxies', '/cookie-unsaid', '/looked-up']) {
    t.match(await app.inject(url), { statusCode: 200, body: 'text', headers: { 'cache-control': 'private, no-store' } }, url);
  }
  t.match(await app.inject('/file'), { headers: { 'cache-control': 'public, max-age=60' } });
  t.match(await app.inject('/own'), { headers: { 'cache-control': 'private, no-cache', 'set-cookie': /^token=secret/ } });
});
