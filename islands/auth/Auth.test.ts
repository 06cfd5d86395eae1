import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import t from 'tap';
import Auth, { type AuthProps } from './Auth.tsx';

const closed: AuthProps = {
  view: null,
  place: 'dialog',
  suite: null,
  signsIn: true,
  reason: null,
  purpose: null,
  values: { username: '', email: '' },
  errors: [],
  message: null,
  allowedDomains: ['gmail.com'],
};
const render = (props: Partial<AuthProps>) =>
  parseHTML(`<!doctype html><html><body>${renderToString(createElement(Auth, { ...closed, ...props }))}</body></html>`).document;

t.test('both forms are complete in the HTML and can be sent without script', async (t) => {
  const document = render({});
  t.equal(document.querySelectorAll('dialog').length, 2);
  t.equal(document.querySelectorAll('dialog[open]').length, 0);
  const forms = [...document.querySelectorAll('form')].map((form) => ({
    action: form.getAttribute('action'),
    method: form.getAttribute('method'),
    fields: [...form.querySelectorAll('input')].map((input) => input.getAttribute('name')),
  }));
  t.same(forms, [
    { action: '/api/users/login', method: 'post', fields: ['suite', 'email', 'password'] },
    { action: '/api/users/register', method: 'post', fields: ['suite', 'connexion', 'username', 'email', 'password', 'confirmPassword'] },
  ]);
  for (const id of [
    'connexion-email',
    'connexion-password',
    'inscription-username',
    'inscription-email',
    'inscription-password',
    'inscription-confirmPassword',
  ]) {
    t.ok(document.querySelector(`label[for="${id}"]`)?.textContent, `${id} has a label`);
  }
});

t.test('the requested view is open, and the link to the other view keeps `suite`', async (t) => {
  const document = render({ view: 'inscription', suite: '/user/prepa/3' });
  const open = document.querySelectorAll('dialog[open]');
  t.equal(open.length, 1);
  t.equal(open[0]?.getAttribute('data-view'), 'inscription');
  for (const input of document.querySelectorAll('[name="suite"]')) t.equal(input.getAttribute('value'), '/user/prepa/3');
  t.equal(open[0]?.querySelector('.auth__switch a')?.getAttribute('href'), '/?connexion=1&suite=%2Fuser%2Fprepa%2F3');
});

t.test('a refused plain form is shown again with its values and errors, without a dialog', async (t) => {
  const document = render({
    view: 'inscription',
    place: 'page',
    values: { username: 'awa', email: 'awa@gmail.com' },
    errors: [{ field: 'email', message: 'Cet email est déjà utilisé' }],
  });
  t.equal(document.querySelectorAll('dialog').length, 0);
  t.equal(document.querySelectorAll('form').length, 1);
  const email = document.querySelector('[name="email"]');
  t.equal(email?.getAttribute('value'), 'awa@gmail.com');
  t.equal(email?.getAttribute('aria-invalid'), 'true');
  t.ok(email?.hasAttribute('autofocus'), 'the field with the error gets the focus');
  const about = (email?.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);
  t.same(about, ['Adresse gmail.com', 'Cet email est déjà utilisé']);
});

t.test("the server's message is shown above the fields", async (t) => {
  const document = render({ view: 'connexion', place: 'page', message: 'Email ou mot de passe incorrect' });
  t.equal(document.querySelector('[role="alert"]')?.textContent, 'Email ou mot de passe incorrect');
});
