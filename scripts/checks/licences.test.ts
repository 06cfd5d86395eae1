import t from 'tap';
import { checkLicences, licensedPackages } from './licences.ts';

t.test('every production package, and the font sent to browsers, has an allowed licence', async (t) => {
  const packages = licensedPackages();
  t.equal(await checkLicences(packages), null);
  const named = packages.map(({ name }) => name);
  for (const name of ['fastify', 'react', '@fontsource/stix-two-math', '@sparticuz/chromium']) t.ok(named.includes(name), name);
  t.notOk(named.includes('tap'), 'tests are not production');
});

t.test('reports licences that are not allowed or unknown, and evaluates AND and OR', async (t) => {
  const of = (name: string, license?: string) =>
    checkLicences(licensedPackages({ packages: { [`node_modules/${name}`]: { version: '1.0.0', ...(license && { license }) } } }));
  t.equal(await of('a', 'AGPL-3.0-only'), 'a@1.0.0: AGPL-3.0-only is no licence that was allowed (scripts/checks/licences.ts)');
  t.match(await of('absent'), 'absent@1.0.0: unknown');
  t.equal(await of('b', '(AGPL-3.0-only OR MIT)'), null);
  t.match(await of('c', 'MIT AND GPL-2.0-only'), 'GPL-2.0-only');
  t.equal(await of('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later'), null);
  t.match(await of('d', 'LGPL-3.0-or-later'), 'LGPL');
});
