import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';

// Previews of links sent over WhatsApp, and addresses for search engines.

const home = await createTestApp(t, { PUBLIC_URL: 'https://prepa.example/' });
const { app } = home;

async function head(url: string, session?: string): Promise<Record<string, string | null>> {
  const { body } = await visit(app, url, session);
  const { document } = parseHTML(body);
  const meta = [...document.querySelectorAll('meta[property], meta[name]')].map((element) => [
    element.getAttribute('property') ?? element.getAttribute('name'),
    element.getAttribute('content'),
  ]);
  return {
    ...Object.fromEntries(meta),
    title: document.title,
    canonical: document.querySelector('link[rel="canonical"]')?.getAttribute('href') ?? null,
  };
}

t.test('the landing page', async (t) => {
  const bare = await head('/');
  t.match(bare, {
    title: /\| PrépaConcours$/,
    canonical: 'https://prepa.example/',
    'og:url': 'https://prepa.example/',
    'og:type': 'website',
    'og:locale': 'fr_FR',
    'og:site_name': 'PrépaConcours',
    description: /concours/,
    'og:description': /concours/,
  });
  t.notOk('robots' in bare);
});

t.test("a prepa's link shows that prepa, and no text of the next one", async (t) => {
  await createPrepa(home, { nom: 'Une autre', image: 'covers/autre' });
  const prepa = await createPrepa(home, { nom: 'ENS "Sciences" & co', description: 'Mathématiques\net physique.', image: 'covers/ens' });
  const url = `/user/prepa/consultation/${prepa.id}`;
  const expected = {
    title: 'ENS "Sciences" & co | PrépaConcours',
    canonical: `https://prepa.example${url}`,
    description: 'Mathématiques et physique.',
    'og:title': 'ENS "Sciences" & co',
    'og:description': 'Mathématiques et physique.',
    'og:url': `https://prepa.example${url}`,
    'og:image': 'https://prepa.example/media/covers/ens-og.jpg',
    'og:image:width': '1200',
    'og:image:height': '630',
  };
  t.match(await head(url), expected);
  t.match(await head(`${url}?utm_source=whatsapp`), expected, 'parameters added by a messenger are ignored');
});

t.test("a discipline's link shows the discipline's picture or else the prepa's", async (t) => {
  const prepa = await createPrepa(home, { nom: 'ENAM', image: 'covers/enam' });
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id, { titre: 'Le budget' });
  const url = `/user/prepa/consultation/${prepa.id}/${discipline.id}`;
  t.match(await head(url), {
    title: `Le budget - ${discipline.nom} - ENAM | PrépaConcours`,
    canonical: `https://prepa.example${url}`,
    'og:image': 'https://prepa.example/media/covers/enam-og.jpg',
    description: 'Une discipline.',
  });
});

t.test('the landing page shows the first existing cover', async (t) => {
  t.match(await head('/'), { 'og:image': 'https://prepa.example/media/covers/autre-og.jpg' });
});

t.test("learners' pages are not indexed by search engines", async (t) => {
  const { session } = await createLearner(home);
  t.equal((await head('/user/dashboard', session)).robots, 'noindex');
  for (const url of ['/login', '/inscription', '/absente']) t.equal((await head(url)).robots, 'noindex', url);
});

t.test('sitemap.xml and robots.txt', async (t) => {
  const hidden = await createPrepa(home, { isPublished: false });
  const map = await app.inject('/sitemap.xml');
  t.equal(map.statusCode, 200);
  t.match(map.headers['content-type'], 'application/xml');
  t.match(map.body, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">/);
  const addresses = [...map.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  t.equal(addresses[0], 'https://prepa.example/');
  t.equal(addresses.length, 4, 'the sitemap lists the landing page and three prepas');
  t.notMatch(map.body, `/consultation/${hidden.id}<`);
  for (const address of addresses)
    t.equal((await visit(app, String(address).slice('https://prepa.example'.length))).statusCode, 200, `${address}`);

  const robots = await app.inject('/robots.txt');
  t.match(robots.headers['content-type'], 'text/plain');
  t.equal(robots.body, 'User-agent: *\nDisallow: /api/\nDisallow: /user/dashboard\nSitemap: https://prepa.example/sitemap.xml\n');
});

t.test('without PUBLIC_URL, the address of the request is used', async (t) => {
  const plain = await createTestApp(t);
  const { body } = await plain.app.inject({ url: '/robots.txt', headers: { host: 'localhost:3000' } });
  t.match(body, 'Sitemap: http://localhost:3000/sitemap.xml');
});
