import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createLearner } from '../../../../test/support/factories.ts';

const home = await createTestApp(t);
const { app } = home;
const address = '/user/hors-ligne/page';
const learner = await createLearner(home);

t.test('the page stored by a device has the learner in its header and an empty element for the content', async (t) => {
  const { statusCode, body, headers } = await visit(app, address, learner.session);
  t.equal(statusCode, 200);
  t.match(headers['cache-control'], 'private');
  const { document } = parseHTML(body);
  t.match(document.querySelector('header')?.textContent, learner.username);
  t.ok(document.querySelector('main [data-behaviour="kept-page"]'));
  t.ok(document.querySelector('.bell[data-uncounted]'), 'unread notifications are counted when the page is shown');
});

t.test('all style sheets are links, even for a browser that has not cached them', async (t) => {
  const { body, cookies, headers } = await visit(app, address, learner.session);
  t.notMatch(body, '<style>');
  t.notMatch(body, '<!--');
  t.match(body, /<link rel="stylesheet" href="\/assets\/main-[^"]+">\s*<link rel="stylesheet" href="\/assets\/learner-[^"]+">/);
  t.match(body, /<link rel="preload" href="[^"]+" as="font"/);
  t.same(cookies, [], 'only pages that are displayed set the cookie about cached style sheets');
  t.notMatch(headers['content-security-policy'], 'sha256');
});

t.test('the page lists the files that it needs, which all exist; none of the editor', async (t) => {
  const { document } = parseHTML((await visit(app, address, learner.session)).body);
  const assets: string[] = JSON.parse(document.querySelector<HTMLElement>('[data-assets]')?.dataset.assets ?? '');
  for (const asset of assets) t.equal((await app.inject(asset)).statusCode, 200, asset);
  for (const name of ['loader', 'kept-page', 'Study', 'react', 'timer', 'header', 'copy-formulas', 'mathml-to-latex'])
    t.ok(
      assets.some((asset) => asset.startsWith(`/assets/${name}-`)),
      name,
    );
  for (const name of ['prosemirror', 'rich-text', 'Auth', 'Payment'])
    t.notOk(
      assets.some((asset) => asset.startsWith(`/assets/${name}-`)),
      name,
    );
  t.equal(assets.filter((asset) => asset.endsWith('.woff2')).length, 3);
});

t.test('a flash message is not stored with the page', async (t) => {
  const flash = Buffer.from(JSON.stringify([{ kind: 'info', message: 'Une seule fois' }])).toString('base64url');
  const { body, cookies } = await visit(app, address, `${learner.session}; flash=${flash}`);
  t.notMatch(body, 'Une seule fois');
  t.same(cookies, [], 'the next page shows the message');
});

t.test('the page requires a signed-in learner', async (t) => {
  const { statusCode, headers } = await visit(app, address);
  t.equal(statusCode, 303);
  t.match(headers.location, 'connexion=1');
});
