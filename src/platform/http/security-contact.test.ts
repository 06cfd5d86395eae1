import t from 'tap';
import { createTestApp } from '../../../test/support/app.ts';
import { faultsOf } from '../../../test/support/settings.ts';
import { loadConfig } from '../../config.ts';
import { dayMs } from '../../shared/dates.ts';

const path = '/.well-known/security.txt';

t.test('security.txt has the contact and expires within a year of each request', async (t) => {
  const { app, clock } = await createTestApp(t, { PUBLIC_URL: 'https://prepa.example', SECURITY_CONTACT: 'https://prepa.example/faille' });
  const read = async () => {
    const { statusCode, headers, body } = await app.inject(path);
    t.equal(statusCode, 200);
    t.equal(headers['content-type'], 'text/plain; charset=utf-8');
    t.equal(headers['set-cookie'], undefined);
    const [, expires = ''] = /^Expires: (.*)$/m.exec(body) ?? [];
    const days = (Date.parse(expires) - clock.now().getTime()) / dayMs;
    t.ok(days > 90 && days < 365, expires);
    return body.replace(expires, '');
  };
  const said = `Contact: https://prepa.example/faille\nExpires: \nPreferred-Languages: fr, en\nCanonical: https://prepa.example${path}\n`;
  t.equal(await read(), said);
  clock.advance(400 * dayMs);
  t.equal(await read(), said, 'the expiry moves with the clock');
});

t.test('the default contact is the support address', async (t) => {
  t.equal(loadConfig({ SUPPORT_EMAIL: 'aide@prepa.example' }).securityContact, 'mailto:aide@prepa.example');
  t.equal(loadConfig({ SECURITY_CONTACT: 'securite@prepa.example' }).securityContact, 'mailto:securite@prepa.example');
  for (const contact of ['x', 'http://prepa.example', 'mailto:', 'a@b.cm\nExpires: jamais'])
    t.same(faultsOf({ SECURITY_CONTACT: contact }), ['SECURITY_CONTACT doit être une adresse électronique ou une adresse https'], contact);
});
