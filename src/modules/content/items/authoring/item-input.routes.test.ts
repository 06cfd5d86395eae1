import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline } from '../../../../../test/support/factories.ts';
import { sql } from '../../../../../test/support/sql.ts';

// Malformed forms and texts, and formulas that can or cannot be drawn.

const site = await createTestApp(t);
const { app } = site;
const { session } = await createAdministrator(site);

const rows = <Row extends object>(statement: string, values: unknown[] = []) => sql<Row>(site.databaseUrl, statement, values);
const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const answer = await call(app, { method, url, session, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
};

t.test('malformed forms and texts never cause a server error, and nothing is written', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const form = { titre: 'Une leçon', annee: 2020, discipline_id };
  const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
  const node = '{"type":"blockquote","content":[';
  const json = (contenu: string) => JSON.stringify(form).replace('}', `,"contenu":${contenu}}`);
  const paragraphs = (count: number, text: string) =>
    `{"type":"doc","content":[${Array(count).fill(`{"type":"paragraph","content":[{"type":"text","text":"${text}"}]}`).join()}]}`;
  const refused: Record<string, string> = {
    'a list': '[]',
    'a text': '"bonjour"',
    null: 'null',
    'cut off': '{"titre": ',
    'a prototype': '{"__proto__":{"titre":"Une leçon"}}',
    'a NUL in the title': JSON.stringify({ ...form, titre: 'a\u0000bc' }),
    'half a character in the title': JSON.stringify({ ...form, titre: 'abc\ud800' }),
    'a discipline that is an object': JSON.stringify({ ...form, discipline_id: { $gt: 0 } }),
    'a discipline beyond all': JSON.stringify({ ...form, discipline_id: 1e300 }),
    'a number': json('42'),
    'a list for a text': json('[]'),
    'an object': json('{}'),
    'an unknown node': json('{"type":"doc","content":[{"type":"script"}]}'),
    'an unknown mark': json(
      '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a","marks":[{"type":"constructor"}]}]}]}',
    ),
    'a forbidden address': json('{"type":"doc","content":[{"type":"figure","attrs":{"src":"javascript:alert(1)"}}]}'),
    'a forbidden level': json('{"type":"doc","content":[{"type":"heading","attrs":{"level":1e9}}]}'),
    'a NUL in a text': json(paragraphs(1, 'a\\u0000b')),
    'half a character in a text': json(paragraphs(1, '\\ud800')),
    'an empty text': json(paragraphs(1, '')),
    'a misplaced node': json('{"type":"doc","content":[{"type":"text","text":"a"}]}'),
    'no document': json('{"type":"paragraph"}'),
    'a document that holds itself, 10,000 deep': json(deep(10_000, node, ']}').replace(node, '{"type":"doc","content":[')),
    'attributes 10,000 deep': json(`{"type":"doc","attrs":${deep(10_000, '{"a":', '}').replace('{"a":}', '{}')},"content":[]}`),
    'lists 10,000 deep': json(deep(10_000, '[', ']')),
    '100,000 paragraphs': json(paragraphs(100_000, 'six mots')),
    'HTML 100,000 deep': json(JSON.stringify('<div>'.repeat(100_000))),
    'HTML of 3 MB': json(JSON.stringify('mot '.repeat(750_000))),
    'HTML of 100,000 elements': json(JSON.stringify('<br>'.repeat(100_000))),
    'a number for a version': JSON.stringify({ ...form, version: -1 }),
  };
  const french = /[éèêàçù']|invalide|incorrect/;
  const { body: item } = await send('POST', '/api/lecons', { ...form, contenu: '<p>avant</p>' });
  for (const [name, payload] of Object.entries(refused)) {
    const calls = [['PUT', `/api/lecons/${item.id}`], ...(/discipline|version/.test(name) ? [] : [['POST', '/api/lecons']])] as [
      'PUT' | 'POST',
      string,
    ][];
    if (/discipline/.test(name)) calls[0] = ['POST', '/api/lecons'];
    for (const [method, url] of calls) {
      const answer = await call(app, { method, url, session, payload, headers: { 'content-type': 'application/json' } });
      t.equal(answer.statusCode, 400, `${method} ${name}: ${answer.body.slice(0, 200)}`);
      t.match(answer.json().message, french, name);
    }
  }
  const tooLarge = await call(app, {
    method: 'POST',
    url: '/api/lecons',
    session,
    payload: JSON.stringify({ ...form, contenu: 'x'.repeat(12 * 1024 * 1024) }),
    headers: { 'content-type': 'application/json' },
  });
  t.match([tooLarge.statusCode, tooLarge.json().message], [413, "L'envoi est trop volumineux."]);
  const unknown = await call(app, { method: 'POST', url: '/api/lecons', payload: { ...form, contenu: 'x'.repeat(100_000) } });
  t.equal(unknown.statusCode, 401, 'callers who are not administrators are refused before their text is read');
  t.match((await send('GET', `/api/lecons/${item.id}`)).body, { contenu: '<p>avant</p>', version: 1 });
  t.equal((await rows('select id from item where discipline_id = $1', [discipline_id])).length, 1);
});

t.test('formulas are drawn by the server, and faulty formulas keep their LaTeX', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const contenu = {
    type: 'doc',
    content: [
      {
        type: 'paragraph',
        content: [
          { type: 'formula', attrs: { latex: 'x^2' } },
          { type: 'formula', attrs: { latex: '\\frac{1' } },
        ],
      },
      { type: 'formula_block', attrs: { latex: 'x^2' } },
    ],
  };
  const { body } = await send('POST', '/api/lecons', { titre: 'Formules', discipline_id, contenu });
  t.match(body.contenu, '<span class="formula" data-latex="x^2"><math><msup>');
  t.match(body.contenu, '<span class="formula" data-latex="\\frac{1"><code>\\frac{1</code></span>');
  t.match(body.contenu, /<div class="formula-block" data-latex="x\^2"[^>]*><math display="block"/);
  t.match(body.remarques, [/^Formule gardée telle quelle, à corriger : \\frac\{1 \(Formule incorrecte/]);
  const older = body.contenu.replace(/<math[\s\S]*?<\/math>/, '<math><mi>drawn by an earlier version</mi></math>');
  const again = await send('PUT', `/api/lecons/${body.id}`, { titre: 'Formules', contenu: older });
  t.match(again.body, { contenu: body.contenu, version: 1 }, 'markup inside a formula is ignored');

  t.match((await send('POST', '/api/formules', { latex: 'a+b' })).body, { mathml: /^<math>/ });
  t.match((await send('POST', '/api/formules', { latex: 'a+b', display: true })).body, { mathml: /^<math display="block"/ });
  for (const latex of ['', '\\frac{', '\\def\\a{b}', 'x'.repeat(2001), 5, null]) {
    const { status, body } = await send('POST', '/api/formules', { latex });
    t.equal(status, 400, String(latex).slice(0, 20));
    t.equal(body.errors[0].field, 'latex');
  }
});
