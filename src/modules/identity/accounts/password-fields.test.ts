import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../test/support/factories.ts';

const home = await createTestApp(t);
const [learner, administrator] = [await createLearner(home), await createAdministrator(home)];
const sessions = `${learner.session}; ${administrator.session}`;

t.test('each password field hides its value and can be filled in by a password manager', async (t) => {
  const pages: [url: string, fields: number][] = [
    ['/login', 1],
    ['/inscription', 2],
    ['/admin/connexion', 1],
    ['/admin/inscription', 2],
    ['/user/profil', 3],
    ['/admin/mot-de-passe', 2],
    ['/admin/compte', 3],
  ];
  for (const [url, count] of pages) {
    const { document } = parseHTML((await visit(home.app, url, /^\/(user|admin\/compte)/.test(url) ? sessions : undefined)).body);
    const fields = [...document.querySelectorAll('main input[name*="assword"]')];
    t.ok(fields.length >= count, `${url}: ${fields.length} fields`);
    for (const field of fields) {
      const name = `${url} ${field.getAttribute('name')}`;
      t.equal(field.getAttribute('type'), 'password', name);
      // React writes attribute names in its own case.
      const autocomplete = [...field.attributes].find((attribute) => attribute.name.toLowerCase() === 'autocomplete')?.value;
      t.match(autocomplete, /^(current|new)-password$/, name);
      t.notOk(field.hasAttribute('readonly') || field.hasAttribute('maxlength'), `${name}: pasted text is neither refused nor cut`);
    }
  }
});
