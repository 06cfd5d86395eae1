import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { fetchReading } from './fetch-reading.ts';
import type { ItemRef } from './outline.ts';

const realFetch = globalThis.fetch;

/** Answers every call of this test with `answer`; returns the addresses called. */
function answer(t: Test, make: (signal: AbortSignal) => Response | Promise<Response>): string[] {
  const called: string[] = [];
  t.teardown(() => {
    globalThis.fetch = realFetch;
  });
  globalThis.fetch = async (input, init) => {
    called.push(String(input));
    return make(init?.signal as AbortSignal);
  };
  return called;
}

const lesson: ItemRef = { type: 'course', id: 12 };
const read = (item = lesson) => fetchReading(item, new AbortController());

t.test('each kind has its call and its fields', async (t) => {
  const body = { id: 12, titre: 'Limites', numero_page: 2, discipline_id: 2 };
  const called = answer(t, () => Response.json({ ...body, contenu: '<p>a</p>' }));
  t.same(await read(), { ...lesson, titre: 'Limites', texts: { contenu: '<p>a</p>', corrige: null }, documents: [] });
  const documents = [{ id: 3, nom: 'Fiche', octets: 2048, url: '/documents/3/Fiche.pdf' }];
  answer(t, () => Response.json({ ...body, contenu: '<p>a</p>', documents }));
  t.match(await read(), { documents });
  answer(t, () => Response.json({ ...body, enonce: '<p>e</p>', corrige: '<p>c</p>' }));
  t.match(await read({ type: 'exercise', id: 12 }), { type: 'exercise', texts: { contenu: '<p>e</p>', corrige: '<p>c</p>' } });
  answer(t, () => Response.json({ ...body, annee: 2023, contenu: '<p>s</p>', corrige: null }));
  t.match(await read({ type: 'pastExam', id: 12 }), { type: 'pastExam', texts: { contenu: '<p>s</p>', corrige: null } });
  t.same(called, ['/api/lecons/12']);
});

t.test('the addresses of the three calls', async (t) => {
  const called = answer(t, () => Response.json({}));
  for (const type of ['course', 'exercise', 'pastExam'] as const) await read({ type, id: 3 });
  t.same(called, ['/api/lecons/3', '/api/exercices/3', '/api/anciens-sujets/3']);
});

t.test('what refuses, and what merely failed', async (t) => {
  const answers: [string, () => Response | Promise<Response>, string][] = [
    ['session expired', () => Response.json({ message: '', expired: true }, { status: 401 }), 'signIn'],
    ['no session', () => Response.json({ message: '' }, { status: 401 }), 'signIn'],
    ['no access', () => Response.json({ message: '' }, { status: 403 }), 'elsewhere'],
    ['gone', () => Response.json({ message: '' }, { status: 404 }), 'elsewhere'],
    ['too many', () => Response.json({ message: '' }, { status: 429 }), 'failed'],
    ['server error', () => new Response('<h1>502</h1>', { status: 502 }), 'failed'],
    ['a portal of the network', () => new Response('<h1>Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } }), 'failed'],
    ['no text', () => Response.json({ id: 12, titre: 'Limites', locked: true }), 'failed'],
    ['null', () => Response.json(null), 'failed'],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 'failed'],
  ];
  for (const [name, make, expected] of answers) {
    answer(t, make);
    t.equal(await read(), expected, name);
  }
});

t.test('a connection that hangs is given up after 30 s', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  answer(t, (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  let answered: unknown;
  const reading = read().then((found) => {
    answered = found;
  });
  mock.timers.tick(29_999);
  await Promise.resolve();
  t.equal(answered, undefined, 'not before');
  mock.timers.tick(1);
  await reading;
  t.equal(answered, 'failed');
});
