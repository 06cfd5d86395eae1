/**
 * Measures the cost of a prepa kept for offline reading: bytes over the wire, script sizes, and the time until a kept lesson can be read
 * while the network hangs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import type { ItemKind } from '../../src/shared/item-kinds.ts';
import type { TextsAnswer } from '../../src/shared/offline/offline-copy.ts';
import { createNetworkPath, type NetworkPath } from '../../test/support/network-path.ts';
import { sql } from '../../test/support/sql.ts';
import { newPhone, newTab } from '../support/browser.ts';
import { insertLearners } from '../support/fixtures.ts';
import { median, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { fetchedBy } from './wire.ts';

/**
 * Learner numbers that no other benchmark uses: one for each prepa of the demonstration, since a learner may fetch differences 30 times per
 * hour.
 */
const firstReader = 200_000;
const runs = 7;
const cpuSlowdown = 6;
/** The limit of the worker's unit test, which measures the file's size. */
const workerBytes = 13 * 1024;
const paragraph =
  '<p>Retenez la méthode : on pose d’abord ce que l’on cherche, on écrit la relation qui lie les grandeurs connues, puis on vérifie l’unité et l’ordre de grandeur du résultat avant de conclure.</p>';

interface Prepa {
  id: number;
  nom: string;
  reader: number;
}

interface Lesson {
  id: number;
  kind: ItemKind;
  discipline: number;
  titre: string;
}

export async function measureOffline(workshop: Workshop, browser: Browser, site: Site, report: Report): Promise<void> {
  const prepas = await listPrepas(site);
  await measurePagesBefore(browser, site, prepas, report);
  await measureTexts(browser, site, prepas, report);
  await measureHanging(workshop, browser, site, prepas, report);
}

async function listPrepas({ databaseUrl }: Site): Promise<Prepa[]> {
  const rows = await sql<{ id: number; nom: string }>(databaseUrl, 'select id, nom from prepa where key is not null order by id');
  const prepas = rows.map((row, index) => ({ ...row, reader: firstReader + index }));
  await insertLearners(databaseUrl, firstReader, firstReader + prepas.length - 1);
  await sql(
    databaseUrl,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select u.id, p.id, p.nom, 'active', now() - interval '1 day', now() + interval '20 days' from app_user u, prepa p
     where u.username = any($1) and p.key is not null`,
    [prepas.map(({ reader }) => `candidat_${reader}`)],
  );
  return prepas;
}

const lessonsOf = ({ databaseUrl }: Site, { id }: Prepa): Promise<Lesson[]> =>
  sql<Lesson>(
    databaseUrl,
    `select i.id, i.kind, i.discipline_id as discipline, i.titre from item i join discipline d on d.id = i.discipline_id
     where d.prepa_id = $1 order by i.kind <> 'course', i.id`,
    [id],
  );

async function measurePagesBefore(browser: Browser, site: Site, [prepa]: Prepa[], report: Report): Promise<void> {
  report.section('Reading without network: before anything is kept, and the worker');
  if (!prepa) throw new Error('no prepa');
  const own = offlineScripts();
  const discipline = (await lessonsOf(site, prepa))[0]?.discipline;
  const phone = await newPhone(browser, site.origin, prepa.reader);
  const scriptsOf = async (path: string) => {
    const fetched = await fetchedBy(phone, site.origin + path);
    return fetched.filter(({ url }) => own.has(new URL(url).pathname)).reduce((total, { bytes }) => total + bytes, 0) / 1000;
  };
  for (const [name, path] of [
    ['dashboard', '/user/dashboard'],
    ['prepa', `/user/prepa/${prepa.id}`],
    ['study page', `/user/prepa/${prepa.id}/${discipline}`],
  ] as const)
    report.budget({ what: `${name}: scripts of what is kept`, measured: await scriptsOf(path), limit: 0, unit: 'KB' });
  report.budget({ what: 'workers before anything is kept', measured: phone.serviceWorkers().length, limit: 0, unit: '', digits: 0 });
  report.fact('page that keeps a prepa: scripts of its own', `${(await scriptsOf(`/user/prepa/${prepa.id}/hors-ligne`)).toFixed(2)} KB`);
  await phone.close();

  const size = readFileSync(join(projectRoot, 'dist/client/service-worker.js')).length;
  const compressed = await overTheWire(browser, site, prepa.reader, (page) =>
    page.evaluate(() => fetch('/service-worker.js').then((answer) => answer.text())),
  );
  report.budget({
    what: 'worker, uncompressed',
    measured: size / 1000,
    limit: workerBytes / 1000,
    unit: 'KB',
    detail: `${size} bytes; over the wire, headers included, ${(compressed.bytes / 1000).toFixed(2)} KB`,
  });
}

/** Returns the URLs of scripts that only the pages that keep prepas and the kept pages load, according to the build's manifest. */
function offlineScripts(): Set<string> {
  const manifest: Record<string, { file: string; imports?: string[]; src?: string; isEntry?: boolean; isDynamicEntry?: boolean }> =
    JSON.parse(readFileSync(join(projectRoot, 'dist/client/.vite/manifest.json'), 'utf8'));
  const reach = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const other of manifest[name]?.imports ?? []) reach(other, found);
    return found;
  };
  const entries = Object.entries(manifest).filter(([, { isEntry, isDynamicEntry }]) => isEntry || isDynamicEntry);
  const isOurs = (name: string) => name.startsWith('islands/offline/');
  const elsewhere = new Set(entries.filter(([name]) => !isOurs(name)).flatMap(([name]) => [...reach(name)]));
  const ours = entries.filter(([name]) => isOurs(name)).flatMap(([name]) => [...reach(name)]);
  const files = ours.filter((name) => !elsewhere.has(name)).map((name) => `/${manifest[name]?.file}`);
  if (files.length < 3) throw new Error(`too few scripts of islands/offline: ${files}`);
  return new Set([...files, '/service-worker.js']);
}

/** Returns the response of one call in a page and its size in bytes, headers included. */
async function overTheWire<Answer>(browser: Browser, site: Site, reader: number, call: (page: Page) => Promise<Answer>) {
  const phone = await newPhone(browser, site.origin, reader);
  try {
    const { page, protocol } = await newTab(phone);
    await page.goto(`${site.origin}/favicon.svg`);
    return await counted(page, protocol, call);
  } finally {
    await phone.close();
  }
}

async function counted<Answer>(page: Page, protocol: CDPSession, call: (page: Page) => Promise<Answer>) {
  let bytes = 0;
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  const finished = new Promise<void>((resolve) => protocol.once('Network.loadingFinished', () => resolve()));
  protocol.on('Network.loadingFinished', count);
  const answer = await call(page);
  await finished;
  protocol.off('Network.loadingFinished', count);
  return { answer, bytes };
}

async function measureTexts(browser: Browser, site: Site, prepas: Prepa[], report: Report): Promise<void> {
  report.section('Reading without network: texts over the wire, headers included (1 KB = 1,000 bytes)');
  const differences: { bytes: number; isLesson: boolean }[] = [];
  for (const prepa of prepas) {
    const phone = await newPhone(browser, site.origin, prepa.reader);
    const { page, protocol } = await newTab(phone);
    await page.goto(`${site.origin}/favicon.svg`);
    const whole = await counted(page, protocol, (page) =>
      page.evaluate((path) => fetch(path).then((answer) => answer.json()), `/api/hors-ligne/prepas/${prepa.id}/textes`),
    );
    const held: TextsAnswer = whole.answer;
    report.budget({
      what: `texts of ${prepa.nom}`,
      measured: whole.bytes / 1000,
      limit: 80,
      unit: 'KB',
      detail: `${held.items.length} items`,
    });
    for (const { id, kind } of await lessonsOf(site, prepa)) {
      await addParagraph(site, id);
      const tenus = held.disciplines.flatMap(({ items }) => items.map((item) => [item.id, item.version]));
      const { answer, bytes } = await counted(page, protocol, (page) =>
        page.evaluate(askDifference, {
          path: `/api/hors-ligne/prepas/${prepa.id}/differences`,
          body: JSON.stringify({ disciplines: null, tenus, changements: true }),
        }),
      );
      const changed = answer.changes?.map((change) => change.id) ?? [];
      if (changed.length !== 1 || changed[0] !== id || answer.items.length > 0) throw new Error(`item ${id}: the difference is ${changed}`);
      // The device now has this version.
      Object.assign(held, { disciplines: answer.disciplines });
      differences.push({ bytes, isLesson: kind === 'course' });
    }
    await phone.close();
  }
  const lessons = differences.filter(({ isLesson }) => isLesson).map(({ bytes }) => bytes / 1000);
  report.budget({
    what: 'a lesson that has changed by a paragraph: largest',
    measured: Math.max(...lessons),
    limit: 3,
    unit: 'KB',
    detail: `median ${median(lessons).toFixed(2)} of ${lessons.length}; of all ${differences.length} items ${spread(differences.map(({ bytes }) => bytes / 1000))}`,
  });
}

/** Runs in the page; sends the request that a device sends. */
async function askDifference({ path, body }: { path: string; body: string }): Promise<TextsAnswer> {
  const answer = await fetch(path, { method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body });
  return answer.json();
}

/** Appends a paragraph to the item and stores the earlier text as a version, as a save by an author does. */
async function addParagraph({ databaseUrl }: Site, id: number): Promise<void> {
  await sql(
    databaseUrl,
    `insert into item_version (item_id, version, titre, contenu, corrige, saved_at, saved_by) select id, version, titre, contenu, corrige, now(), 'bench' from item where id = $1`,
    [id],
  );
  await sql(databaseUrl, 'update item set contenu = contenu || $2, version = version + 1 where id = $1', [id, paragraph]);
}

async function measureHanging(workshop: Workshop, browser: Browser, site: Site, [prepa]: Prepa[], report: Report): Promise<void> {
  report.section('Reading without network: a kept lesson in a new tab while the network hangs, median of 7');
  if (!prepa) throw new Error('no prepa');
  const [lesson] = await lessonsOf(site, prepa);
  if (!lesson) throw new Error('no lesson');
  const path = await createNetworkPath(workshop, site.origin);
  const origin = path.url.replace(/\/$/, '');
  const phone = await newPhone(browser, origin, prepa.reader);
  await keep(phone, `${origin}/user/prepa/${prepa.id}/hors-ligne`);
  path.cut();
  path.close('reset');
  const address = `${origin}/user/prepa/${prepa.id}/${lesson.discipline}?type=${lesson.kind}&item=${lesson.id}`;
  for (const slowdown of [1, cpuSlowdown]) {
    const cold = await visits(phone, address, { slowdown, isCold: true });
    const warm = await visits(phone, address, { slowdown, isCold: false });
    const said = `first paint ${median(cold.map(({ first }) => first)).toFixed(2)} s; with the worker running ${median(warm.map(({ text }) => text)).toFixed(2)} s (${spread(warm.map(({ text }) => text))})`;
    const texts = cold.map(({ text }) => text);
    if (slowdown === 1)
      report.budget({
        what: 'text of a kept lesson, worker not running',
        measured: median(texts),
        limit: 0.3,
        unit: 's',
        detail: `${spread(texts)}; ${said}`,
      });
    else report.fact(`the same, CPU of the page slowed ${slowdown} times`, `${median(texts).toFixed(2)} s (${spread(texts)}); ${said}`);
  }
  release(path);
  await phone.close();
}

function release(path: NetworkPath): void {
  path.restore();
  path.close('reset');
}

/** Keeps the prepa with the button on its page. */
async function keep(phone: BrowserContext, address: string): Promise<void> {
  const page = await phone.newPage();
  await page.goto(address);
  await page.locator('[data-act="keep"]').click();
  await page.getByText('Gardée sur cet appareil').first().waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.close();
}

/** The largest-contentful-paint entry, which TypeScript's DOM types lack. */
type Paint = PerformanceEntry & { element: Element | null; url: string };

/** Returns the paint times, in seconds after the request; the first visit is not counted. */
async function visits(phone: BrowserContext, address: string, how: { slowdown: number; isCold: boolean }) {
  const found: { first: number; text: number }[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const { page, protocol } = await newTab(phone);
    if (how.isCold) {
      await protocol.send('ServiceWorker.enable');
      await protocol.send('ServiceWorker.stopAllWorkers');
      await protocol.send('ServiceWorker.disable');
    }
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: how.slowdown });
    await page.goto(address, { waitUntil: 'commit' });
    // Anything larger painted later would be the largest paint.
    await page.waitForTimeout(1_000 * how.slowdown ** 0.5);
    const paints = await page.evaluate(async () => {
      const entries = await new Promise<PerformanceEntryList>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'largest-contentful-paint', buffered: true });
      });
      const largest = (entries as Paint[]).filter(({ url }) => url === '').at(-1);
      return {
        first: (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN) / 1000,
        text: (largest?.startTime ?? Number.NaN) / 1000,
        inText: Boolean(largest?.element?.closest('.study__main')),
      };
    });
    if (!paints.inText) throw new Error('the largest text painted is not the lesson');
    if (run > 0) found.push(paints);
    await page.close();
  }
  return found;
}
