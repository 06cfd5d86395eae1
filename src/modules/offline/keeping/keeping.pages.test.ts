import { randomUUID } from 'node:crypto';
import { parseHTML } from 'linkedom';
import t from 'tap';
import { call, createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { presentKeeping } from './keeping.presenter.ts';

const home = await createTestApp(t);
const { app, clock } = home;

const prepa = await createPrepa(home, { nom: 'ENAM' });
const law = await createDiscipline(home, prepa.id);
const maths = await createDiscipline(home, prepa.id);
const first = await createItem(home, law.id);
await createItem(home, law.id, { numeroPage: 2 });
await createItem(home, maths.id);
await createDocument(home, first.id);
const learner = await createLearner(home);
await createEnrolment(home, learner, prepa, 10);
const url = `/user/prepa/${prepa.id}/hors-ligne`;

async function page(address = url, session = learner.session) {
  const { body, statusCode, headers } = await visit(app, address, session);
  const { document } = parseHTML(body);
  for (const template of document.querySelectorAll('template')) template.remove();
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  return {
    body,
    statusCode,
    location: headers.location,
    document,
    text: squeeze(document.querySelector('main')?.textContent),
    lines: (selector: string) => all(selector).map((element) => squeeze(element.textContent)),
    ticked: all('main input[type="checkbox"][checked]').map((input) => `${input.getAttribute('name')}=${input.getAttribute('value')}`),
    weight: (name: string) => squeeze(document.querySelector(`[data-weight="${name}"]`)?.textContent),
  };
}

t.test('the page explains keeping, its end and the size of each part; documents are not ticked at first', async (t) => {
  const { statusCode, body, text, lines, ticked, weight } = await page();
  t.equal(statusCode, 200);
  await assertValidHtml(t, body);
  t.match(
    text,
    /^Retour aux disciplines Garder hors ligne ENAM Cette préparation se lit ensuite sans réseau, sur cet appareil, jusqu'à la fin de votre accès le \d+/,
  );
  t.same(lines('legend'), ['Que garder ?', 'Quelles disciplines ?']);
  t.match(lines('label.choice'), [
    /^1 document PDF\d+ Ko$/,
    new RegExp(`^${law.nom}2 contenus\\d+ Ko$`),
    new RegExp(`^${maths.nom}1 contenu\\d+ Ko$`),
  ]);
  t.same(ticked, [`discipline[]=${law.id}`, `discipline[]=${maths.id}`]);
  t.match(weight('texts'), /^\d+ Ko$/);
  t.equal(weight('total'), weight('texts'));
  t.notMatch(text, 'Appareils qui la gardent');
});

t.test('a discipline in the URL is the only one ticked; one of another prepa is ignored', async (t) => {
  t.same((await page(`${url}?discipline=${maths.id}`)).ticked, [`discipline[]=${maths.id}`]);
  for (const other of ['999999', 'rien', '-1', '']) {
    const { statusCode, ticked } = await page(`${url}?discipline=${other}`);
    t.same([statusCode, ticked.length], [200, 2], other);
  }
});

t.test('the form sent without scripts keeps its ticks and reports that nothing was kept', async (t) => {
  const { text, ticked, body } = await page(`${url}?garder=oui&documents=oui&discipline[]=${law.id}&discipline[]=${maths.id}`);
  t.match(text, "Rien n'a pu être gardé");
  t.same(ticked, ['documents=oui', `discipline[]=${law.id}`, `discipline[]=${maths.id}`]);
  await assertValidHtml(t, body);
  t.notMatch(squeeze((await page()).document.querySelector('[data-part="state"]')?.textContent), 'Rien');
});

t.test('learners without access are redirected to the trial, visitors to the sign-in', async (t) => {
  const other = await createPrepa(home);
  const stranger = await createLearner(home);
  const led = async (address: string, session?: string) => {
    const { statusCode, headers } = await visit(app, address, session);
    return [statusCode, headers.location];
  };
  t.same(await led(url, stranger.session), [303, `/user/prepa/consultation/${prepa.id}`]);
  t.same(await led(`/user/prepa/${other.id}/hors-ligne`, learner.session), [303, `/user/prepa/consultation/${other.id}`]);
  for (const address of [url, '/user/hors-ligne']) t.match(await led(address), [303, /^\/\?connexion=|^\/login/]);
  const late = await createLearner(home);
  await createEnrolment(home, late, prepa, 1);
  t.equal((await led(url, late.session))[0], 200);
  clock.advance(2 * 86_400_000);
  t.same(await led(url, late.session), [303, `/user/prepa/consultation/${prepa.id}`]);
  clock.advance(-2 * 86_400_000);
});

t.test('a prepa without contents has nothing to keep', async (t) => {
  const empty = await createPrepa(home, { nom: 'Vide' });
  await createEnrolment(home, learner, empty, 10);
  const { text, document, body } = await page(`/user/prepa/${empty.id}/hors-ligne`);
  t.match(text, "Il n'y a encore rien à garder.");
  const shown = [...document.querySelectorAll('[data-part="form"] > *, [data-part="form"] button')].filter(
    (part) => !part.closest('[hidden]') && /[^\s]/.test(part.textContent) && !part.querySelector('[hidden]'),
  );
  t.same(shown, [], 'the script removes an earlier copy');
  await assertValidHtml(t, body);
});

t.test('the page of a device’s copies is the same for all learners; the browser fills it', async (t) => {
  const { statusCode, body, text, document } = await page('/user/hors-ligne');
  t.equal(statusCode, 200);
  await assertValidHtml(t, body);
  t.match(text, 'Gardé sur cet appareil');
  t.ok(document.querySelector('[data-behaviour="keeping"][data-page="device"]'));
  t.ok(document.querySelector('main noscript'));
});

t.test('the pages of an accessible prepa link to keeping, the menu of every learner to kept copies, and no other page does', async (t) => {
  const links = async (address: string, session?: string, part = 'main') => {
    const { document } = parseHTML((await visit(app, address, session)).body);
    return [...document.querySelectorAll(`${part} a[href*="hors-ligne"]`)].map((link) => [
      squeeze(link.textContent),
      link.getAttribute('href'),
    ]);
  };
  t.same(await links(`/user/prepa/${prepa.id}`, learner.session), [['Garder hors ligne', url]]);
  t.same(await links(`/user/prepa/${prepa.id}/${law.id}`, learner.session), [['Garder hors ligne', `${url}?discipline=${law.id}`]]);
  t.same(await links('/user/dashboard', learner.session), []);
  t.same(await links('/user/profil', learner.session, '.menu__panel'), [['Gardé sur cet appareil', '/user/hors-ligne']]);
  t.same(await links(`/user/prepa/consultation/${prepa.id}`, undefined, 'header'), []);
  for (const session of [undefined, (await createLearner(home)).session]) {
    t.same(await links(`/user/prepa/consultation/${prepa.id}`, session), []);
    t.same(await links(`/user/prepa/consultation/${prepa.id}/${law.id}`, session), []);
  }
});

t.test('with OFFLINE=off there is no such page, and no link to it', async (t) => {
  const without = await createTestApp(t, { OFFLINE: 'off' });
  const discipline = await createDiscipline(without);
  const reader = await createLearner(without);
  await createEnrolment(without, reader, { id: discipline.prepaId, nom: 'ENS' }, 10);
  await createItem(without, discipline.id);
  const prepaPage = `/user/prepa/${discipline.prepaId}`;
  for (const address of [`${prepaPage}/hors-ligne`, '/user/hors-ligne']) {
    t.match((await visit(without.app, address, reader.session)).statusCode, /^40[04]$/, address);
  }
  for (const address of [prepaPage, `${prepaPage}/${discipline.id}`, '/user/dashboard']) {
    const { statusCode, body } = await visit(without.app, address, reader.session);
    t.equal(statusCode, 200, address);
    t.notMatch(body, 'hors-ligne', address);
  }
});

t.test('the page names the devices that keep the prepa, and where to remove one', async (t) => {
  const answer = await call(app, {
    method: 'POST',
    url: `/api/hors-ligne/prepas/${prepa.id}/garder`,
    payload: { appareil: randomUUID(), nom: 'Chrome sur Android', disciplines: null },
    session: learner.session,
  });
  t.equal(answer.statusCode, 200);
  const { text, document, body } = await page();
  t.match(text, /Appareils qui la gardent Chrome sur Android, depuis le \d.*, vu aujourd'hui/);
  t.match(text, 'Au plus 3 appareils');
  t.equal(document.querySelector('[data-device]')?.getAttribute('data-device'), String(answer.json().device));
  await assertValidHtml(t, body);
});

t.test('pictures are ticked at first, unless the form left them out', async (t) => {
  const now = new Date('2026-11-20T10:00:00Z');
  const sizes = {
    prepa: { id: 1, nom: 'ENS' },
    end: Date.parse('2026-12-01T10:00:00Z'),
    textes: 60_000,
    images: { nombre: 2, octets: 400_000 },
    distantes: 0,
    documents: { nombre: 0, octets: 0 },
    disciplines: [{ id: 7, nom: 'Droit', contenus: 1, textes: 60_000, images: 400_000, documents: 0 }],
    appareils: [],
  };
  const shown = presentKeeping(sizes, { disciplines: [], pictures: true, documents: false }, now);
  t.match(shown, { end: '1er décembre 2026', texts: '59 Ko', documents: null, total: '449 Ko' });
  t.same(shown.pictures, { count: '2 images', size: '391 Ko', ticked: true });
  t.equal(presentKeeping(sizes, { disciplines: [], pictures: false, documents: false }, now).total, '59 Ko');
});
