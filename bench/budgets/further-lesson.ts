/**
 * Measures the bytes, headers included, that each further lesson of a discipline costs a reader who taps through the demonstration's
 * lessons.
 */
import type { Browser } from 'playwright-core';
import { sql } from '../../test/support/sql.ts';
import { newPhone, newTab } from '../support/browser.ts';
import { insertLearners } from '../support/fixtures.ts';
import { median, type Report } from '../support/report.ts';
import type { Site } from '../support/site.ts';

/** A learner number that no other benchmark uses. */
const reader = 100_000;
/** Wait after a lesson is loaded, for requests of late scripts, in ms. */
const afterwards = 300;

interface Fetched {
  titre: string;
  requests: number;
  /** Bytes received: headers and compressed body. */
  bytes: number;
  /** Bytes of the compressed text alone. */
  text: number;
}

export async function measureFurtherLessons(browser: Browser, site: Site, report: Report): Promise<void> {
  report.section('A further lesson over the wire, the demonstration in its order, headers included (1 KB = 1,000 bytes)');
  await insertLearners(site.databaseUrl, reader, reader);
  await sql(
    site.databaseUrl,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select u.id, p.id, p.nom, 'active', now(), now() + interval '20 days' from app_user u, prepa p where u.username = $1 and p.key is not null`,
    [`candidat_${reader}`],
  );
  const disciplines = await sql<{ path: string; titles: string[] }>(
    site.databaseUrl,
    `select format('/user/prepa/%s/%s', d.prepa_id, d.id) as path, array_agg(i.titre order by i.numero_page) as titles
     from discipline d join prepa p on p.id = d.prepa_id join item i on i.discipline_id = d.id and i.kind = 'course'
     where p.key is not null group by d.id order by d.id`,
  );
  const lessons: Fetched[] = [];
  let ahead = 0;
  for (const { path, titles } of disciplines) {
    const found = await readOn(browser, site, path, titles);
    ahead += found.ahead;
    lessons.push(...found.lessons);
  }
  const largest = lessons.toSorted((one, other) => other.bytes - one.bytes)[0];
  if (!largest) throw new Error('the demonstration has no further lesson');
  report.budget({
    what: `a further lesson: median of ${lessons.length}`,
    measured: median(lessons.map(({ bytes }) => bytes)) / 1000,
    limit: 4,
    unit: 'KB',
    detail: `${Math.max(...lessons.map(({ requests }) => requests))} request at most`,
  });
  report.budget({
    what: 'a further lesson: all but its compressed text, largest',
    measured: Math.max(...lessons.map(({ bytes, text }) => bytes - text)) / 1000,
    limit: 0.5,
    unit: 'KB',
  });
  report.fact(
    'a further lesson: the largest',
    `${(largest.bytes / 1000).toFixed(2)} KB, its text ${(largest.text / 1000).toFixed(2)}: ${largest.titre}`,
  );
  report.fact('further lessons above 4 KB', `${lessons.filter(({ bytes }) => bytes > 4_000).length} of ${lessons.length}`);
  report.budget({ what: 'fetched ahead of a tap', measured: ahead, limit: 0, unit: 'requests', digits: 0 });
}

/** Reads from the discipline's first lesson to its last. */
async function readOn(browser: Browser, site: Site, path: string, titles: string[]): Promise<{ lessons: Fetched[]; ahead: number }> {
  const phone = await newPhone(browser, site.origin, reader);
  const { page, protocol } = await newTab(phone);
  const running = new Map<string, { bytes: number; text: number }>();
  protocol.on('Network.responseReceived', ({ requestId, type, response: { headers, url } }) => {
    const length = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    // Pictures are not counted, here as in the other benchmarks.
    if (type !== 'Image' && !url.startsWith('data:')) running.set(requestId, { bytes: 0, text: Number(length ?? 0) });
  });
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const entry = running.get(requestId);
    if (entry) entry.bytes = encodedDataLength;
  });
  await page.goto(site.origin + path, { waitUntil: 'networkidle' });
  await page.locator('[data-island="study"][data-state="ready"]').waitFor({ state: 'attached' });
  const lessons: Fetched[] = [];
  let ahead = 0;
  for (const titre of titles.slice(1)) {
    running.clear();
    const next = page.getByText('Suivant', { exact: true });
    await next.hover();
    await next.focus();
    await page.waitForTimeout(afterwards);
    ahead += running.size;
    running.clear();
    await next.click();
    await page.getByRole('heading', { name: titre, exact: true, level: 2 }).waitFor();
    await page.waitForTimeout(afterwards);
    const fetched = [...running.values()];
    const sum = (key: 'bytes' | 'text') => fetched.reduce((total, entry) => total + entry[key], 0);
    lessons.push({ titre, requests: fetched.length, bytes: sum('bytes'), text: sum('text') });
  }
  await phone.close();
  return { lessons, ahead };
}
