import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { createTestApp, type TestApp } from './support/app.ts';
import { createAdministrator, createDiscipline, createItem, createLearner } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';

// Sends missing, mistyped, oversized and hostile fields to every route of the application's route table: the response is a refusal in
// French or a page, never a 5xx.

const hostileParameters = [
  '0',
  '-1',
  '1.5',
  '99999999999999999999',
  'NaN',
  'undefined',
  '%00',
  "1'--",
  '1;drop table item',
  'é'.repeat(60),
  '../../etc/passwd',
  '[object Object]',
];
/** Values that no route receives: they cannot be decoded, or exceed the length limit of parameters. */
const undecodable = ['%', '%ff', 'x'.repeat(5_000)];
const long = 'x'.repeat(70_000);
const hostileBodies: unknown[] = [
  undefined,
  null,
  [],
  [[]],
  'texte',
  42,
  true,
  {},
  { username: {}, email: [], password: 1, confirmPassword: null, prepaId: 'x', transactionReference: 7 },
  {
    username: 'a\u0000b',
    email: 'a\u0000@gmail.com',
    password: 'a\u0000',
    confirmPassword: 'a\u0000',
    prepaId: '1\u0000',
    transactionReference: 'ZP\u0000',
  },
  {
    username: "'; drop table app_user; --",
    email: '"<script>"@gmail.com',
    password: '%{jndi}',
    confirmPassword: '../',
    prepaId: -1,
    transactionReference: '%s%n',
  },
  { username: { $ne: null }, email: { $gt: '' }, password: { $ne: null }, prepaId: { $gt: 0 }, transactionReference: { $ne: null } },
  {
    username: 'x'.repeat(5000),
    email: `${'x'.repeat(5000)}@gmail.com`,
    password: 'x'.repeat(5000),
    confirmPassword: 'y',
    prepaId: 1e300,
    transactionReference: 'Z'.repeat(5000),
  },
  // The longest valid e-mail: longer than the column that counts attempts by e-mail.
  { username: 'x'.repeat(30), email: `${'x'.repeat(245)}@gmail.com`, password: 'Concours-2026', confirmPassword: 'Concours-2026' },
  { username: '\u202e\ud800', email: '\ud800@gmail.com', password: '\ud800Aa1!aaaa', confirmPassword: '\ud800Aa1!aaaa', suite: '\ud800' },
  { __proto__: { admin: true }, constructor: { prototype: {} }, prepaId: Number.MAX_SAFE_INTEGER, simulationStatus: [] },
];
const hostileQueries = [
  '',
  '?connexion=%00&suite=//x',
  '?suite[]=1&suite[]=2',
  '?type=video&item=1',
  '?type=course&item=abc',
  '?type=course&type=course',
  '?payment_status=oui&prepa_id=x&paiement=%00',
  `?q=${'x'.repeat(3000)}`,
  '?ref=%00&reference[a]=1',
  '?%E0%A4%A',
  '?type=course&item=2147483648',
  '?connexion=1&suite=%5C%5Cevil.cm&suite=/%09/evil.cm',
  `?${'a[]=1&'.repeat(2000)}`,
];
const hostileHeaders: Record<string, string>[] = [
  ...['a b', '[', '%', '', 'x'.repeat(5000)].map((host) => ({ host })),
  ...['a b/"', 'evil.cm, b'].map((host) => ({ 'x-forwarded-host': host })),
  { 'x-forwarded-for': 'x'.repeat(400) },
  { 'x-forwarded-for': ', , "' },
  { 'x-forwarded-proto': 'javascript:alert(1)//' },
  ...['userToken=%E0%A4%A', 'userToken=%00', `userToken=${'x'.repeat(5000)}`, 'flash=%%', '=;;=', 'userToken=a; userToken=b'].map(
    (cookie) => ({
      cookie,
    }),
  ),
  { cookie: `flash=${Buffer.from('['.repeat(3000)).toString('base64url')}` },
  ...['Bearer', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`, 'Basic Og==', 'Bearer ../'].map((authorization) => ({ authorization })),
  ...['', 'text/html;q=x,,;', 'x'.repeat(5000)].map((accept) => ({ accept })),
  ...['gzip;q=x,,;', '*;q=0', 'x'.repeat(5000)].map((encoding) => ({ 'accept-encoding': encoding })),
  ...['"'.repeat(5000), 'W/"', '*'].map((etag) => ({ 'if-none-match': etag })),
  ...['bytes=9-1', 'bytes=-', 'lignes=1-2'].map((range) => ({ range })),
  ...['null', 'https://', 'http://[', 'é'].map((origin) => ({ origin: Buffer.from(origin).toString('latin1') })),
  { referer: 'http://%' },
  { 'sec-fetch-site': 'x'.repeat(5000) },
];
const french = /[éèêàçù']|Requête|incorrect|invalide|existe|connecter|page|Trop|paiement|réservé|non reconnu/;

async function home(t: Test): Promise<TestApp & { session: string; ids: string[] }> {
  const app = await createTestApp(t, {
    PAYMENT_SIMULATION: 'on',
    ZITOPAY_BASE_URL: 'http://127.0.0.1:9',
    REGISTRATIONS_PER_ADDRESS_HOUR: '1000000',
    SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000000',
    ADMIN_KEY_FAILURES_PER_ADDRESS: '100000',
  });
  const learner = await createLearner(app);
  const discipline = await createDiscipline(app);
  const item = await createItem(app, discipline.id);
  const administrator = await createAdministrator(app, 'super_admin');
  // One Cookie header with both sessions; each route reads its own.
  const session = `${learner.session}; ${administrator.session}`;
  return { ...app, session, ids: [discipline.prepaId, discipline.id, item.id].map(String) };
}

/** Returns routes without their duplicates: API routes have two URLs and one handler. test/permissions.test.ts requests each URL. */
const onceEach = (table: TestApp['app']['routeTable']) => {
  const calls = new Set(table.map(({ method, url }) => `${method} ${url}`));
  return table.filter(({ method, url }) => !calls.has(`${method} /api${url}`));
};
/**
 * Selects the hostile inputs for a route. In the short form each input is sent to one of `parts` consecutive routes, so that every input
 * reaches routes of every kind and every route gets inputs of every kind. The long form sends all inputs to all routes.
 */
const isIn = (index: number, place: number, parts: number) => isLongForm || (index + place) % parts === 0;
const fill = (url: string, value: string) => url.replaceAll(/:\w+|\*/g, value);

t.test('hostile parameters and query strings', async (t) => {
  const { app, session, ids } = await home(t);
  const routes = onceEach(app.routeTable).filter((route) => route.method === 'GET');
  for (const [place, { method, url }] of routes.entries()) {
    const paths =
      url.includes(':') || url.includes('*') ? [...hostileParameters, ...undecodable, ...ids].map((value) => fill(url, value)) : [url];
    const hostile = [...paths, ...hostileQueries.map((query) => fill(url, ids[0] ?? '1') + query)];
    for (const [index, path] of hostile.entries()) {
      if (!isIn(index, place, 3)) continue;
      for (const [kind, accept] of ['text/html', 'application/json'].entries()) {
        // The short form signs in for either the page or the JSON response; the long form sends all four combinations.
        for (const cookie of isLongForm ? ['', session] : [(index + kind) % 2 === 0 ? session : '']) {
          const answer = await app.inject({ method: 'GET', url: path, headers: { accept, cookie } });
          const fine = answer.statusCode < 500 || (path === '/readyz' && answer.statusCode === 503);
          if (!fine) t.fail(`${method} ${path} as ${accept}: ${answer.statusCode}`);
          if (answer.statusCode >= 400 && accept === 'application/json' && !french.test(answer.json().message))
            t.fail(`${method} ${path}: ${answer.body}`);
        }
      }
    }
  }
  t.pass(`${app.routeTable.length} routes`);
});

t.test('hostile parameters of requests that change data', async (t) => {
  const { app, session, ids } = await home(t);
  const [valid = '1'] = ids;
  const routes = onceEach(app.routeTable).filter(({ method, url }) => method !== 'GET' && /:|\*/.test(url));
  t.ok(routes.length >= 20, `${routes.length} routes with parameters change data`);
  const values = [...hostileParameters, ...undecodable, '2147483648', '9223372036854775808', '', 'a%00b'];
  for (const [place, { method, url }] of routes.entries()) {
    const names = url.match(/:\w+|\*/g) ?? [];
    for (const [index, value] of values.entries()) {
      if (!isIn(index, place, 2)) continue;
      // All parameters replaced, and each one beside valid others; the response to a form is a page.
      const paths = new Set([
        fill(url, value),
        ...names.map((name) =>
          fill(
            url.replace(name, () => value),
            valid,
          ),
        ),
      ]);
      for (const path of paths) {
        for (const accept of undecodable.includes(value) ? ['application/json', 'text/html'] : ['application/json']) {
          const headers = { accept, cookie: session, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
          const answer = await app.inject({ method: method as 'POST', url: path, headers, payload: '{}' });
          const shown = `${method} ${url} with ${JSON.stringify(value.slice(0, 40))} as ${accept}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
          if (answer.statusCode < 400 || answer.statusCode >= 500) t.fail(shown);
          if (!french.test(accept === 'text/html' ? answer.body : answer.json().message)) t.fail(shown);
        }
      }
    }
  }
});

t.test('hostile bodies, as JSON and as forms', async (t) => {
  const { app, session, ids } = await home(t);
  const routes = onceEach(app.routeTable).filter((route) => route.method !== 'GET');
  t.ok(routes.length >= 10, 'at least 10 routes change data');
  for (const [place, { method, url }] of routes.entries()) {
    const path = fill(url, url.includes('provider') ? 'zitopay' : (ids[0] ?? '1'));
    const send = async (payload: string, contentType: string, cookie: string) => {
      const headers = { 'content-type': contentType, accept: 'application/json', 'sec-fetch-site': 'same-origin', cookie };
      const answer = await app.inject({ method: method as 'POST', url: path, headers, payload });
      if (answer.statusCode >= 500)
        t.fail(`${method} ${path} ${contentType} ${payload.slice(0, 80)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
      if (answer.statusCode >= 400 && !french.test(answer.json().message)) t.fail(`${method} ${path}: ${answer.body}`);
    };
    for (const cookie of ['', session]) {
      for (const [index, body] of hostileBodies.entries()) {
        // Without a session most routes refuse the request before they read the body.
        if (!isIn(index, place, cookie === '' ? 3 : 2)) continue;
        await send(body === undefined ? '' : JSON.stringify(body), 'application/json', cookie);
        if (typeof body === 'object' && body !== null)
          await send(
            new URLSearchParams(Object.entries(body).map(([k, v]) => [k, String(v)])).toString(),
            'application/x-www-form-urlencoded',
            cookie,
          );
      }
      await send('{"tronqué": ', 'application/json', cookie);
      await send(JSON.stringify({ username: long }), 'application/json', cookie);
      await send('<xml/>', 'application/xml', cookie);
      await send('--x', 'multipart/form-data; boundary=x', cookie);
      await send('ref=%E0%A4%A&a[b][c]=1', 'application/x-www-form-urlencoded; charset=utf-16', cookie);
    }
  }
});

t.test('hostile headers, on every route', async (t) => {
  const { app, ids } = await home(t);
  for (const [place, { method, url }] of onceEach(app.routeTable).entries()) {
    const path = fill(url, url.includes('provider') ? 'zitopay' : (ids[0] ?? '1'));
    for (const [index, given] of hostileHeaders.entries()) {
      if (!isIn(index, place, 3)) continue;
      const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin', ...given };
      const variants: Record<string, string>[] = method === 'GET' ? [headers] : [headers, { accept: 'application/json', ...given }];
      for (const variant of variants) {
        const payload = method === 'GET' ? {} : { payload: { email: 'a@gmail.com', password: 'Concours-2026' } };
        const answer = await app.inject({ method: method as 'POST', url: path, headers: variant, ...payload });
        if (answer.statusCode >= 500)
          t.fail(`${method} ${path} ${JSON.stringify(given).slice(0, 80)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
        if (!isSafeLocation(answer.headers.location))
          t.fail(`${method} ${path} ${JSON.stringify(given)} leads to ${answer.headers.location}`);
      }
    }
  }
  t.pass(`${hostileHeaders.length} headers`);
});

/** Returns whether a redirect stays on the site or goes to the configured payment provider. */
function isSafeLocation(location: unknown): boolean {
  return location === undefined || /^(\/(?![/\\])|http:\/\/127\.0\.0\.1:9\/)/.test(String(location));
}

t.test('a method that a route does not know is a French 404', async (t) => {
  const { app, ids } = await home(t);
  const known = new Set(app.routeTable.map(({ method, url }) => `${method} ${url}`));
  for (const url of new Set(app.routeTable.map((route) => route.url).filter((one) => !one.includes('*')))) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      if (known.has(`${method} ${url}`) || takenForAnId(app.routeTable, method, url)) continue;
      const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
      const answer = await app.inject({ method: method as 'POST', url: fill(url, ids[0] ?? '1'), headers });
      if (answer.statusCode !== 404) t.fail(`${method} ${url}: ${answer.statusCode}`);
      if (!french.test(answer.json().message)) t.fail(`${method} ${url}: ${answer.body}`);
    }
  }
  t.pass(`${known.size} routes`);
});

/** Returns whether another route takes the URL's last segment for an id, and therefore refuses it as an invalid id. */
function takenForAnId(routes: TestApp['app']['routeTable'], method: string, url: string): boolean {
  return routes.some((route) => route.method === method && route.url === url.replace(/[^/]+$/, ':id'));
}

t.test('HEAD has the same headers as GET, without a body', async (t) => {
  const { app, session, ids } = await home(t);
  for (const { url } of app.routeTable.filter(({ method, url }) => method === 'GET' && !/notification|success|cancel/.test(url))) {
    const request = { url: fill(url, ids[0] ?? '1'), headers: { accept: 'text/html', cookie: session } };
    const [said, read] = [await app.inject({ ...request, method: 'HEAD' }), await app.inject(request)];
    t.equal(said.statusCode, read.statusCode, url);
    t.equal(said.body, '', url);
  }
});

t.test('an oversized body is a 413 in French', async (t) => {
  const { app } = await home(t);
  const answer = await app.inject({
    method: 'POST',
    url: '/api/users/register',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    payload: JSON.stringify({ username: long }),
  });
  t.equal(answer.statusCode, 413);
  t.equal(answer.json().message, "L'envoi est trop volumineux.");
});

t.test('an unknown address is a French 404, as a page and as JSON', async (t) => {
  const { app } = await home(t);
  const page = await app.inject({ url: '/inconnu', headers: { accept: 'text/html' } });
  t.equal(page.statusCode, 404);
  t.match(page.body, 'Page introuvable');
  const call = await app.inject({ url: '/api/inconnu' });
  t.equal(call.statusCode, 404);
  t.type(call.json().message, 'string');
});

t.test('a request whose end could be read in two ways is refused', async (t) => {
  const { app } = await home(t);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
  const framings: Record<string, string[]> = {
    'a length and chunks': ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    'two lengths': ['Content-Length: 5', 'Content-Length: 6'],
    'a length that is none': ['Content-Length: +5'],
    'an unknown coding': ['Transfer-Encoding: xchunked'],
    'chunks, hidden by a space': ['Transfer-Encoding : chunked'],
  };
  for (const [name, headers] of Object.entries(framings)) {
    const socket = connect(port, '127.0.0.1');
    socket.end(
      `${['POST /api/users/logout HTTP/1.1', 'Host: a', 'Sec-Fetch-Site: same-origin', ...headers].join('\r\n')}\r\n\r\n0\r\n\r\n${hidden}`,
    );
    const said = await text(socket);
    t.match(said, /^HTTP\/1\.1 4\d\d /, name);
    t.equal(said.match(/^HTTP\/1\.1 /gm)?.length, 1, `${name}: the bytes after the first request are not read as a second one`);
  }
});

t.test('JSON that reaches for a prototype is refused', async (t) => {
  const { app } = await home(t);
  const bodies = [
    '{"__proto__":{"admin":true}}',
    '{"a":{"__proto__":1}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"\\u005f_proto__":{}}',
  ];
  for (const payload of bodies) {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/api/users/login', headers, payload });
    t.equal(answer.statusCode, 400, payload);
    t.same(Object.keys(answer.json()), ['message'], `${payload}: refused before the fields are validated`);
  }
  t.notOk('admin' in {});
});
