import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../test/support/factories.ts';

const home = await createTestApp(t);
const { app } = home;

const cookie = (value: unknown) => `flash=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

async function toasts(header: string) {
  const answer = await visit(app, '/', header);
  const { document } = parseHTML(answer.body);
  return {
    answer,
    shown: [...document.querySelectorAll('.toast')].map((toast) => [toast.getAttribute('role'), toast.querySelector('p')?.textContent]),
  };
}

t.test('shows a toast once, on the next page within a minute', async (t) => {
  const { session } = await createLearner(home);
  const prepa = await createPrepa(home);
  const refused = await visit(app, `/user/prepa/${prepa.id}`, session);
  const left = refused.cookies.find(({ name }) => name === 'flash');
  t.match(left, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 60 });
  const { answer, shown } = await toasts(`flash=${left?.value}`);
  t.equal(shown.length, 1);
  t.equal(shown[0]?.[0], 'status');
  t.match(
    answer.cookies.find(({ name }) => name === 'flash'),
    { value: '', path: '/' },
    'the cookie is cleared',
  );
});

t.test('each kind, escaped', async (t) => {
  const { answer, shown } = await toasts(
    cookie([
      { kind: 'success', message: 'Bien' },
      { kind: 'info', message: '<b>Gras</b>' },
      { kind: 'error', message: 'Mal' },
    ]),
  );
  t.same(shown, [
    ['status', 'Bien'],
    ['status', '<b>Gras</b>'],
    ['alert', 'Mal'],
  ]);
  t.notMatch(answer.body, '<b>Gras');
});

t.test('keeps up to three unread messages, without duplicates', async (t) => {
  const { session } = await createLearner(home);
  const prepa = await createPrepa(home);
  let left = cookie(['Un', 'Deux', 'Trois'].map((message) => ({ kind: 'info', message }))).replace('flash=', '');
  for (let refusal = 0; refusal < 2; refusal += 1) {
    const answer = await visit(app, `/user/prepa/${prepa.id}`, `${session}; flash=${left}`);
    left = answer.cookies.find(({ name }) => name === 'flash')?.value ?? '';
    const { shown } = await toasts(`flash=${left}`);
    t.equal(shown.length, 3);
    t.same(shown.slice(0, 2), [
      ['status', 'Deux'],
      ['status', 'Trois'],
    ]);
  }
});

t.test('the sign-in page shows the reason in its text', async (t) => {
  const ended = await visit(app, '/user/dashboard', 'userToken=fini');
  const left = ended.cookies.find(({ name }) => name === 'flash')?.value;
  const { document } = parseHTML((await visit(app, String(ended.headers.location), `flash=${left}`)).body);
  t.match(document.querySelector('main')?.textContent, 'Session expirée. Veuillez vous reconnecter.');
  t.equal(document.querySelectorAll('.toast').length, 0, 'no toast with the same message');
});

t.test('an invalid flash cookie shows nothing and is removed', async (t) => {
  const message = 'x';
  for (const value of [
    ...['flash=', 'flash=%%%', 'flash=abc', `flash=${'A'.repeat(4000)}`],
    ...[null, 1, {}, { kind: 'info', message }, [{ kind: 'danger', message }], [{ kind: 'info' }], [{ kind: 'info', message: 1 }]].map(
      cookie,
    ),
    cookie([{ kind: 'info', message: 'x'.repeat(301) }]),
    cookie(Array(4).fill({ kind: 'info', message })),
  ]) {
    const { answer, shown } = await toasts(value);
    t.equal(answer.statusCode, 200, value.slice(0, 60));
    t.same(shown, [], value.slice(0, 60));
    if (value !== 'flash=') t.ok(answer.cookies.some(({ name, value: left }) => name === 'flash' && left === ''));
  }
  t.equal((await toasts(cookie([{ kind: 'info', message: 'x'.repeat(300) }]))).shown.length, 1, 'a message of the maximum length is shown');
});
