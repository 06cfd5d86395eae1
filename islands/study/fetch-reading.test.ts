import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { fetchReading } from './fetch-reading.ts';
import type { ItemRef } from './outline.ts';

const realFetch = globalThis.fetch;

/** Responds to every fetch of this test with `make`. Returns the requested addresses. */
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

const sent = (contenu: string, corrige: string, rest: object) => new Response([contenu, corrige, JSON.stringify(rest)].join('<!---->'));

t.test('one response contains text, correction and metadata', async (t) => {
  const called = answer(t, () => sent('<p>a</p>', '', { titre: 'Limites' }));
  t.same(await read(), { ...lesson, titre: 'Limites', minutes: 1, texts: { contenu: '<p>a</p>', corrige: null }, documents: [] });
  t.same(called, ['/api/items/12/texte']);
  const documents = [{ id: 3, nom: 'Fiche', octets: 2048, url: '/documents/3/Fiche.pdf' }];
  answer(t, () => sent('<p>e</p>', '<p>c</p>', { titre: 'Étude', corrige: true, documents }));
  t.same(await read({ type: 'exercise', id: 12 }), {
    type: 'exercise',
    id: 12,
    titre: 'Étude',
    minutes: 1,
    texts: { contenu: '<p>e</p>', corrige: '<p>c</p>' },
    documents,
  });
  answer(t, () => sent('<p>a</p>', '', { titre: 'Le commentaire <!----> en HTML' }));
  t.match(await read(), { titre: 'Le commentaire <!----> en HTML' }, 'a title may contain the delimiter of the parts');
  answer(t, () => sent('', '', { titre: 'Vide', corrige: true }));
  t.match(await read(), { texts: { contenu: '', corrige: '' } }, 'empty texts are read as empty strings');
});

t.test('each refusal or failed response gives its result', async (t) => {
  const answers: [string, () => Response | Promise<Response>, string][] = [
    ['session expired', () => Response.json({ message: '', expired: true }, { status: 401 }), 'signIn'],
    ['no session', () => Response.json({ message: '' }, { status: 401 }), 'signIn'],
    ['no access', () => Response.json({ message: '' }, { status: 403 }), 'elsewhere'],
    ['gone', () => Response.json({ message: '' }, { status: 404 }), 'elsewhere'],
    ['too many requests, which the item page explains', () => Response.json({ message: '' }, { status: 429 }), 'elsewhere'],
    ['server error', () => new Response('<h1>502</h1>', { status: 502 }), 'failed'],
    ['a portal of the network', () => new Response('<h1>Wi-Fi</h1>', { headers: { 'content-type': 'text/html' } }), 'failed'],
    ['no parts', () => new Response('<p>Une page</p>'), 'failed'],
    ['parts without metadata', () => new Response('<p>a</p><!----><!---->x'), 'failed'],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 'failed'],
  ];
  for (const [name, make, expected] of answers) {
    answer(t, make);
    t.equal(await read(), expected, name);
  }
});

t.test('a hanging connection times out after 30 s', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  answer(t, (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  let answered: unknown;
  const reading = read().then((found) => {
    answered = found;
  });
  mock.timers.tick(29_999);
  await Promise.resolve();
  t.equal(answered, undefined, 'the read is still pending after 29.999 s');
  mock.timers.tick(1);
  await reading;
  t.equal(answered, 'failed');
});
