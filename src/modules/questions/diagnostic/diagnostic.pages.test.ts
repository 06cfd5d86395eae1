import { parseHTML } from 'linkedom';
import t from 'tap';
import { call, createTestApp, sameOrigin, squeeze, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t, { REGISTRATIONS_PER_ADDRESS_HOUR: '1000' });
const { app, databaseUrl, clock } = home;

let opened = 0;
/**
 * Creates a trial discipline with a diagnostic of five questions: two in the part 'Suites' (choices, the number 4), one in the part
 * 'Limites' (several choices), one before the parts (choices), and one in the first exercise (short text). A second lesson is closed.
 */
async function open() {
  opened += 1;
  const own = opened;
  const id = (name: string) => `${name}${String(own).padStart(12 - name.length, '0')}`;
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const one = (name: string, statement: string) =>
    choiceQuestion({
      id: id(name),
      statement,
      choices: ['a', 'b'].map((text) => ({ id: id(name + text), text: `${name} ${text}`, right: text === 'a', remark: `clef ${text}` })),
      explanation: `Pourquoi ${name}.`,
    });
  const several = choiceQuestion({
    id: id('multi'),
    several: true,
    choices: ['a', 'b', 'c'].map((text) => ({ id: id(`multi${text}`), text: `multi ${text}`, right: text !== 'c' })),
  });
  const lesson = await createItem(home, discipline.id, {
    titre: 'Analyse',
    contenu: `${one('avant', 'Prêt ?')}<h2>Suites</h2>${one('un', 'Que converge ?')}${numberQuestion(id('deux'), '4')}<h2>Limites</h2>${several}<h2>Fin</h2>`,
  });
  const exercise = await createItem(home, discipline.id, {
    kind: 'exercise',
    titre: 'Algèbre',
    contenu: textQuestion(id('qui'), ['Gauss']),
  });
  await createItem(home, discipline.id, { numeroPage: 2, titre: 'Fermée', contenu: one('clos', 'Secret ?') });
  const chosen = ['avant', 'un', 'deux', 'multi', 'qui', 'clos'].map(id);
  await sql(databaseUrl, 'insert into diagnostic_question select $1, q, n from unnest($2::text[]) with ordinality as c(q, n)', [
    discipline.id,
    chosen,
  ]);
  const url = `/user/prepa/consultation/${prepa.id}/${discipline.id}/diagnostic`;
  const asked = ['avant', 'un', 'deux', 'multi', 'qui'].map(id);
  return {
    id,
    prepa,
    discipline,
    lesson,
    exercise,
    asked,
    url,
    result: `${url}/resultat`,
    trial: `/user/prepa/consultation/${prepa.id}/${discipline.id}`,
    /** Fields with all right answers but those of `un` and `deux`. */
    fields: {
      essai: '00000000-0000-4000-8000-000000000001',
      questions: asked.join(','),
      [`r-${id('avant')}`]: id('avanta'),
      [`r-${id('un')}`]: id('unb'),
      [`r-${id('deux')}`]: '5',
      [`r-${id('multi')}`]: [id('multia'), id('multib')],
      [`r-${id('qui')}`]: ' gauss ',
    } as Record<string, string | string[]>,
  };
}

/** Sends a form as a browser without scripts does. */
async function send(url: string, fields: Record<string, string | string[]>, cookie = '', remoteAddress = '192.0.2.1') {
  const payload = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  ).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', cookie, ...sameOrigin };
  const answer = await app.inject({ method: 'POST', url, payload, headers, remoteAddress });
  return { answer, ...read(answer.body), kept: answer.cookies.find(({ name }) => name === 'diagnostic') };
}

function read(body: string) {
  const { document } = parseHTML(body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  return { document, texts, main: squeeze(document.querySelector('main')?.textContent) };
}

async function page(url: string, cookie?: string) {
  const answer = await visit(app, url, cookie);
  return { answer, ...read(answer.body), kept: answer.cookies.find(({ name }) => name === 'diagnostic') };
}

const stored = (userId: string) =>
  sql<{ question_id: string; context: string; is_right: boolean; points: string; skipped: boolean }>(
    databaseUrl,
    "select question_id, context, is_right, points, jsonb_exists(given, 'skipped') as skipped from answer where user_id = $1 order by question_id",
    [userId],
  );

t.test('the trial and the prepa lead to a diagnostic with the number of its questions, where there is one', async (t) => {
  const { prepa, trial, url, discipline } = await open();
  const links = async (address: string) => {
    const { document } = await page(address);
    return [...document.querySelectorAll('a[href$="/diagnostic"]')].map((link) => [squeeze(link.textContent), link.getAttribute('href')]);
  };
  t.same(await links(trial), [['Testez-vous en 5 questions', url]]);
  t.same(await links(`/user/prepa/consultation/${prepa.id}`), [
    [`Testez-vous en 5 questions (environ 5 minutes) : ${discipline.nom}`, url],
  ]);
  const other = await createDiscipline(home, prepa.id);
  await createItem(home, other.id, { contenu: numberQuestion('notchosen001', '4') });
  t.same(await links(`/user/prepa/consultation/${prepa.id}/${other.id}`), []);
  await sql(databaseUrl, 'delete from diagnostic_question where discipline_id = $1', [discipline.id]);
  t.same(await links(trial), [], 'also on a page that was kept before');
  t.same(await links(`/user/prepa/consultation/${prepa.id}`), []);
  t.equal((await page(url)).answer.statusCode, 404);
  t.match((await page(url)).main, "Cette discipline n'a pas de diagnostic.");
});

t.test('it asks only questions of open items without a fault, and shows no key before the answers', async (t) => {
  const { id, url, asked, lesson } = await open();
  const ids = async () => {
    const { document } = await page(url);
    return [...document.querySelectorAll('.question')].map((element) => element.id.slice(2));
  };
  t.same(await ids(), asked, 'not the question of the second lesson');
  const form = await page(url);
  t.notMatch(form.answer.body, /clef|Pourquoi|Gauss|data-right/);
  t.equal(form.document.querySelector('form.question, .question form'), null, 'one form holds all questions');
  await sql(databaseUrl, 'update question set usable = false where id = $1', [id('un')]);
  t.same(
    await ids(),
    asked.filter((one) => one !== id('un')),
    'a question with a fault',
  );
  await sql(databaseUrl, 'update question set usable = true, position = null where id = $1', [id('un')]);
  t.same(
    await ids(),
    asked.filter((one) => one !== id('un')),
    'a question that its text has lost',
  );
  await sql(
    databaseUrl,
    'update item set numero_page = case numero_page when 1 then 2 else 1 end where discipline_id = (select discipline_id from item where id = $1) and kind = $2',
    [lesson.id, 'course'],
  );
  t.same(await ids(), [id('qui'), id('clos')], 'the questions of the lesson that is open now');
  await sql(
    databaseUrl,
    'update prepa set is_published = false where id = (select prepa_id from discipline d join item i on i.discipline_id = d.id where i.id = $1)',
    [lesson.id],
  );
  t.equal((await page(url)).answer.statusCode, 404, 'an unpublished prepa');
});

t.test('a visitor gets the result by theme, where to begin, and each explanation; only the browser keeps it', async (t) => {
  const { id, url, fields, trial, lesson, result, exercise } = await open();
  const [before] = await sql<{ count: string }>(databaseUrl, 'select count(*) from answer');
  const { answer, texts, document, kept, main } = await send(url, fields);
  t.equal(answer.statusCode, 200);
  t.same(texts('h1'), ['Votre résultat : 3 sur 5']);
  const themes = [...document.querySelectorAll('.summary > div')].map((row) => [
    squeeze(row.querySelector('dt')?.textContent),
    squeeze(row.querySelector('dd')?.textContent),
    row.querySelector('a')?.getAttribute('href'),
  ]);
  t.same(themes, [
    ['Analyse', '1 sur 1', `${trial}?type=course&item=${lesson.id}#q-${id('avant')}`],
    ['Suites', '0 sur 2', `${trial}?type=course&item=${lesson.id}#partie-1`],
    ['Limites', '1 sur 1', `${trial}?type=course&item=${lesson.id}#partie-2`],
    ['Algèbre', '1 sur 1', `${trial}?type=exercise&item=${exercise.id}#q-${id('qui')}`],
  ]);
  t.match(
    (await page(`${trial}?type=course&item=${lesson.id}`)).document.querySelector('#partie-1')?.textContent,
    'Suites',
    'the passage is there',
  );
  t.match(main, 'Commencez par « Suites » (0 sur 2).');
  for (const words of ['Pourquoi un.', 'Pourquoi avant.', 'clef b', 'Réponse attendue : 4', 'Votre réponse : 5', 'gauss'])
    t.match(main, words);
  const keep = document.querySelector('a[href^="/?inscription=1"]');
  t.equal(keep?.textContent, 'Garder mon résultat');
  t.equal(keep?.getAttribute('href'), `/?inscription=1&suite=${encodeURIComponent(result)}`);
  t.match((await page(`/?connexion=1&suite=${encodeURIComponent(result)}`)).main, 'Connectez-vous pour garder votre résultat.');
  t.same(await sql(databaseUrl, 'select count(*) from answer'), [before], 'the server stores nothing');
  t.match(kept, { path: url, httpOnly: true, sameSite: 'Lax', maxAge: 86_400 });
  const cookie = `diagnostic=${kept?.value}`;
  t.ok(cookie.length < 3100);
  t.equal((await page(result, cookie)).texts('h1')[0], 'Votre résultat : 3 sur 5', 'reloaded from the cookie');
  t.match((await page(url, cookie)).main, 'Revoir mon dernier résultat');
  for (const value of [
    '',
    'diagnostic=x',
    `diagnostic=${Buffer.from('{"essai":1}').toString('base64url')}`,
    `diagnostic=${'a'.repeat(5000)}`,
  ])
    t.equal((await page(result, value)).answer.headers.location, url, 'without answers the test begins');
});

t.test('questions without an answer: the visitor is told once, nothing is lost, and they count as not known', async (t) => {
  const { id, url, fields } = await open();
  const { essai = '', questions = '' } = fields;
  const some = { essai, questions, [`r-${id('un')}`]: id('unb'), [`r-${id('deux')}`]: '<4', [`r-${id('qui')}`]: '  ' };
  const told = await send(url, some);
  t.equal(told.answer.statusCode, 400);
  t.same(told.texts('.alert'), [
    'Il reste 3 questions sans réponse. Répondez-y, ou voyez votre résultat : elles compteront comme « Je ne sais pas ».',
  ]);
  t.equal(told.document.querySelector(`input[value="${id('unb')}"]`)?.hasAttribute('checked'), true);
  t.equal(told.document.querySelector(`input[name="r-${id('deux')}"]`)?.getAttribute('value'), '<4');
  t.equal(told.document.querySelector('input[name="essai"]')?.getAttribute('value'), essai);
  t.notMatch(told.answer.body, /clef|Pourquoi|Gauss/);
  t.equal(told.document.querySelector('input[name="incomplet"]')?.getAttribute('value'), 'oui');
  const seen = await send(url, { ...some, incomplet: 'oui' });
  t.same(seen.texts('h1'), ['Votre résultat : 0 sur 5']);
  t.equal(seen.texts('.series__none').length, 3);
  const known = await send(url, { ...fields, [`r-${id('un')}`]: '' });
  t.equal(known.answer.statusCode, 200, "'Je ne sais pas' is an answer");
  t.equal(known.texts('.series__none').length, 1);
  t.match((await send(url, { essai, questions, incomplet: 'oui' })).main, 'Répondez au moins à une question.');
});

t.test('foreign and former questions and choices are refused in French, and the other answers stay', async (t) => {
  const { id, url, fields, asked } = await open();
  const other = await open();
  for (const [why, change] of [
    ['a choice of another question', { [`r-${id('un')}`]: id('avanta') }],
    ['two choices of a question with one', { [`r-${id('un')}`]: [id('una'), id('unb')] }],
    ['a question of a closed item', { [`r-${id('clos')}`]: id('closa') }],
    ['a question of another discipline', { [`r-${other.id('un')}`]: other.id('una') }],
    ['other questions', { questions: other.asked.join(',') }],
    ['one question less', { questions: asked.slice(1).join(',') }],
    ['a text that is too long', { [`r-${id('qui')}`]: 'x'.repeat(201) }],
  ] as [string, Record<string, string | string[]>][]) {
    const refused = await send(url, { ...fields, ...change });
    t.equal(refused.answer.statusCode, 400, why);
    t.match(refused.main, 'Ce test vient de changer.', why);
    t.notMatch(refused.answer.body, /clef|Pourquoi|Gauss/, why);
    t.equal(refused.document.querySelector(`input[value="${id('avanta')}"]`)?.hasAttribute('checked'), true, why);
    t.equal(refused.kept, undefined, why);
  }
  t.equal((await send(url, { ...fields, essai: 'x' })).answer.statusCode, 400);
});

t.test('a learner takes it directly: stored at once and once, shown again later, with the wrong ones among the errors', async (t) => {
  const { id, url, fields, result, prepa, asked } = await open();
  const learner = await createLearner(home);
  const first = await send(url, fields, learner.session);
  t.equal(first.answer.statusCode, 303);
  t.equal(first.answer.headers.location, result);
  t.equal(first.kept, undefined);
  await Promise.all([1, 2].map(() => send(url, { ...fields, [`r-${id('un')}`]: id('una') }, learner.session)));
  const rows = await stored(learner.id);
  t.same(
    rows.map(({ question_id }) => question_id),
    [...asked].sort(),
    'the same sheet counts once',
  );
  t.same(
    rows.filter(({ is_right }) => !is_right).map(({ question_id }) => question_id),
    [id('deux'), id('un')].sort(),
  );
  t.ok(rows.every(({ context }) => context === 'diagnostic'));
  const seen = await page(result, learner.session);
  t.same(seen.texts('h1'), ['Votre résultat : 3 sur 5']);
  t.match(seen.main, 'Vos erreurs vous attendront');
  t.equal(seen.document.querySelector('a[href^="/?inscription"]'), null);
  t.match((await page(url, learner.session)).main, 'Revoir mon dernier résultat');
  t.notMatch((await page('/user/erreurs', learner.session)).main, 'Que converge ?');
  await createEnrolment(home, learner, prepa, 10);
  t.match((await page('/user/erreurs', learner.session)).main, 'Que converge ?');
  const enrolled = await page(result, learner.session);
  t.match(enrolled.document.querySelector('.summary a')?.getAttribute('href'), new RegExp(`^/user/prepa/${prepa.id}/`));
  clock.advance(60_000);
  const again = { ...fields, essai: '00000000-0000-4000-8000-000000000002', [`r-${id('un')}`]: id('una') };
  await send(url, again, learner.session);
  t.same((await page(result, learner.session)).texts('h1'), ['Votre résultat : 4 sur 5'], 'a second test shows its own result');
  t.equal((await stored(learner.id)).length, 10);
  t.equal((await page(result, (await createLearner(home)).session)).answer.headers.location, url, 'another learner has no result');
});

t.test("'Garder mon résultat': the result is stored after a registration, once, and the browser forgets it", async (t) => {
  const { id, url, fields, result, asked } = await open();
  const { kept } = await send(url, fields);
  const cookie = `diagnostic=${kept?.value}`;
  const form = { username: 'candidat_diag', email: 'candidat.diag@gmail.com', password: 'Secret-2026!', confirmPassword: 'Secret-2026!' };
  const registered = await send('/api/users/register', { ...form, suite: result }, cookie);
  t.equal(registered.answer.headers.location, result);
  const token = registered.answer.cookies.find(({ name }) => name === 'userToken')?.value;
  const both = `userToken=${token}; ${cookie}`;
  const [shown] = await Promise.all([page(result, both), page(result, both)]);
  t.same(shown.texts('h1'), ['Votre résultat : 3 sur 5']);
  t.match(shown.texts('.toast'), ['Votre résultat est gardé.']);
  t.match(shown.kept, { value: '', path: url });
  const [user] = await sql<{ id: string }>(databaseUrl, 'select id from app_user where email = $1', [form.email]);
  const rows = await stored(user?.id ?? '');
  t.same(
    rows.map(({ question_id }) => question_id),
    [...asked].sort(),
  );
  t.same(
    rows.filter(({ is_right }) => !is_right).map(({ question_id }) => question_id),
    [id('deux'), id('un')].sort(),
  );
  t.same((await page(result, `userToken=${token}`)).texts('h1'), ['Votre résultat : 3 sur 5'], 'without the cookie');
});

t.test('after a sign-in the answers are graded again by the keys of now, and what was edited meanwhile is left out', async (t) => {
  const { id, url, fields, result } = await open();
  const { kept } = await send(url, fields);
  await sql(databaseUrl, `update question set key = jsonb_set(key, '{value}', '"5"') where id = $1`, [id('deux')]);
  await sql(databaseUrl, `update item set contenu = replace(contenu, $1, 'otherchoice1') where contenu like '%' || $1 || '%'`, [id('unb')]);
  const learner = await createLearner(home);
  const shown = await page(result, `${learner.session}; diagnostic=${kept?.value}`);
  t.same(shown.texts('h1'), ['Votre résultat : 4 sur 4']);
  t.match(shown.main, 'Tout est juste. Bravo !');
  t.equal((await stored(learner.id)).length, 4);
});

t.test('without the cookie a registration works as ever, and leads to the test', async (t) => {
  const { url, result } = await open();
  const form = { username: 'sans_cookie', email: 'sans.cookie@gmail.com', password: 'Secret-2026!', confirmPassword: 'Secret-2026!' };
  const registered = await send('/api/users/register', { ...form, suite: result });
  const token = registered.answer.cookies.find(({ name }) => name === 'userToken')?.value;
  const led = await page(result, `userToken=${token}`);
  t.equal(led.answer.statusCode, 303);
  t.equal(led.answer.headers.location, url);
  t.notMatch((await page(url, `userToken=${token}`)).main, 'Revoir mon dernier résultat');
});

t.test('answers too long for a cookie: the result is shown, and keeping it is not offered', async (t) => {
  const { id: prepaId } = await createPrepa(home);
  const discipline = await createDiscipline(home, prepaId);
  const ids = Array.from({ length: 10 }, (_, index) => `longtext00${String(index).padStart(2, '0')}`);
  await createItem(home, discipline.id, { contenu: ids.map((id) => textQuestion(id, ['Gauss'])).join('') });
  await sql(databaseUrl, 'insert into diagnostic_question select $1, q, n from unnest($2::text[]) with ordinality as c(q, n)', [
    discipline.id,
    ids,
  ]);
  const url = `/user/prepa/consultation/${prepaId}/${discipline.id}/diagnostic`;
  const fields = (text: string) => ({
    essai: '00000000-0000-4000-8000-000000000003',
    questions: ids.join(','),
    ...Object.fromEntries(ids.map((id) => [`r-${id}`, text])),
  });
  const long = await send(url, fields('é'.repeat(200)), '', '192.0.2.40');
  t.same(long.texts('h1'), ['Votre résultat : 0 sur 10']);
  t.equal(long.kept, undefined);
  t.equal(long.document.querySelector('a[href^="/?inscription=1"]'), null);
  const ordinary = await send(url, fields('le théorème des accroissements finis'), '', '192.0.2.40');
  t.ok(ordinary.kept);
  t.ok((ordinary.kept?.value.length ?? 9999) <= 3000);
});

t.test(
  'a class of 40 behind one address ends its tests in a minute; a loop is stopped, and what was answered stays in the form',
  async (t) => {
    const { url, result, fields, id } = await open();
    const from = '192.0.2.77';
    const { [`r-${id('qui')}`]: _left, ...some } = fields;
    for (let pupil = 0; pupil < 40; pupil += 1) {
      t.equal((await send(url, some, '', from)).answer.statusCode, 400, 'warned of a missing answer');
      const { answer, kept } = await send(url, fields, '', from);
      t.equal(answer.statusCode, 200);
      const headers = { cookie: `diagnostic=${kept?.value}`, accept: 'text/html' };
      for (let view = 0; view < 2; view += 1)
        t.equal((await app.inject({ url: result, remoteAddress: from, headers })).statusCode, 200, 'the result is a page');
    }
    for (let sent = 80; sent < 90; sent += 1) await send(url, fields, '', from);
    const refused = await send(url, fields, '', from);
    t.equal(refused.answer.statusCode, 429);
    t.ok(refused.answer.headers['retry-after']);
    t.equal(refused.texts('.alert').length, 1);
    t.equal(refused.document.querySelector(`input[value="${id('unb')}"]`)?.hasAttribute('checked'), true);
    t.notMatch(refused.answer.body, /clef|Pourquoi/);
    t.equal((await send(url, fields, '', '192.0.2.78')).answer.statusCode, 200, 'another network');
  },
);

t.test('a learner stores 90 answers a minute, whichever way they are sent', async (t) => {
  const { url, result, fields } = await open();
  const essai = (n: number) => ({ ...fields, essai: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` });
  const learner = await createLearner(home);
  for (let sent = 0; sent < 17; sent += 1) await send(url, essai(sent), learner.session, '192.0.2.91');
  const { kept } = await send(url, essai(17), '', '192.0.2.92');
  const keeping = () => page(result, `${learner.session}; diagnostic=${kept?.value}`);
  t.equal((await keeping()).answer.statusCode, 200, 'the last five');
  t.equal((await stored(learner.id)).length, 90);
  const refused = await keeping();
  t.equal(refused.answer.statusCode, 429);
  t.equal(refused.kept, undefined, 'the browser still has the answers');
  t.equal((await send(url, essai(18), learner.session, '192.0.2.91')).answer.statusCode, 429);
  t.equal((await stored(learner.id)).length, 90);
});

t.test('the page may be found by search engines, and the result may not', async (t) => {
  const { url, fields } = await open();
  const form = await page(url);
  t.equal(form.document.querySelector('meta[name="robots"]'), null);
  t.match(form.document.querySelector('link[rel="canonical"]')?.getAttribute('href'), new RegExp(`${url}$`));
  t.equal((await send(url, fields, '', '192.0.2.90')).document.querySelector('meta[name="robots"]')?.getAttribute('content'), 'noindex');
  t.equal((await call(app, { url: '/sitemap.xml' })).body.includes('diagnostic'), false, 'as the trials of disciplines');
});
