/** Measures the bytes that a real browser fetches for a page, headers included. */
import type { Browser, BrowserContext } from 'playwright-core';
import { sql } from '../../test/support/sql.ts';
import { newPhone, newTab } from '../support/browser.ts';
import { administratorToken, insertAdministrator } from '../support/fixtures.ts';
import type { Report } from '../support/report.ts';
import type { Site } from '../support/site.ts';

/** Wait after the network is idle, for requests of late scripts, in ms. */
const afterwards = 1_000;

type Kind = 'HTML' | 'CSS' | 'JS' | 'fonts' | 'images' | 'other';
const kinds: Kind[] = ['HTML', 'CSS', 'JS', 'fonts', 'images', 'other'];
const kindOf: Record<string, Kind> = { Document: 'HTML', Stylesheet: 'CSS', Script: 'JS', Font: 'fonts', Image: 'images' };

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

interface Fetched {
  url: string;
  kind: Kind;
  encoding: string;
  /** Bytes received: headers and compressed body. 0 when the response came from the cache. */
  bytes: number;
}

export async function measureWire(browser: Browser, site: Site, report: Report): Promise<void> {
  report.section('Bytes over the wire in Chromium, headers included, without images (1 KB = 1,000 bytes)');
  const [lesson] = site.lessons;
  if (!lesson) throw new Error('no lesson');

  const study = await newPhone(browser, site.origin, 1);
  const studyAddress = site.origin + site.studyPath(lesson);
  const studyFirst = await fetchedBy(study, studyAddress);
  report.fact(`study page, lesson of ${(Buffer.byteLength(lesson.text) / 1000).toFixed(1)} KB, first visit`, describe(studyFirst));
  report.budget({ what: 'study page, first visit: HTML', measured: sum(studyFirst, 'HTML'), limit: 20, unit: 'KB' });
  report.budget({ what: 'study page, first visit: CSS', measured: sum(studyFirst, 'CSS'), limit: 10, unit: 'KB' });
  report.budget({ what: 'study page, first visit: JavaScript', measured: sum(studyFirst, 'JS'), limit: 80, unit: 'KB' });
  report.budget({ what: 'study page with formulas, first visit: fonts', measured: sum(studyFirst, 'fonts'), limit: 32, unit: 'KB' });
  await second(study, studyAddress, 'study page', report);

  const dashboard = await newPhone(browser, site.origin, 1);
  const dashboardFirst = await fetchedBy(dashboard, `${site.origin}/user/dashboard`);
  report.fact('dashboard, learner, first visit', describe(dashboardFirst));
  report.budget({ what: 'dashboard, first visit: HTML', measured: sum(dashboardFirst, 'HTML'), limit: 15, unit: 'KB' });
  report.budget({ what: 'dashboard, first visit: JavaScript', measured: sum(dashboardFirst, 'JS'), limit: 85, unit: 'KB' });
  await second(dashboard, `${site.origin}/user/dashboard`, 'dashboard', report);
  await dashboard.close();

  const landing = await newPhone(browser, site.origin);
  const landingFirst = await fetchedBy(landing, `${site.origin}/`);
  report.fact('landing page, visitor, first visit', describe(landingFirst));
  report.budget({
    what: 'landing page, first visit: in all',
    measured: sum(landingFirst, 'HTML', 'CSS', 'JS', 'fonts', 'other'),
    limit: 35,
    unit: 'KB',
  });
  const elsewhere = sum([...landingFirst, ...dashboardFirst], 'fonts');
  report.budget({ what: 'landing page and dashboard, first visit: fonts', measured: elsewhere, limit: 0, unit: 'KB' });
  await second(landing, `${site.origin}/`, 'landing page', report);

  const administration = await newPhone(browser, site.origin);
  await administration.addCookies([await administratorCookie(site)]);
  const screen = await fetchedBy(administration, `${site.origin}/admin/dashboard`);
  report.fact('screen of prepas and disciplines, first visit', describe(screen));
  report.budget({ what: 'screen of prepas and disciplines, first visit: JavaScript', measured: sum(screen, 'JS'), limit: 110, unit: 'KB' });

  const authoring = await newPhone(browser, site.origin);
  await authoring.addCookies([await administratorCookie(site)]);
  const editor = await fetchedBy(authoring, `${site.origin}/admin/discipline/${lesson.disciplineId}?type=course&item=${lesson.id}`);
  report.fact("screen of a discipline's contents, editor open, first visit", describe(editor));
  report.budget({ what: "screen of a discipline's contents: JavaScript", measured: sum(editor, 'JS'), limit: 170, unit: 'KB' });
  await authoring.close();

  await study.close();
  await landing.close();
  await administration.close();
}

/** Returns the session cookie of the benchmark's administrator. It is a Secure cookie; browsers also send it to localhost over HTTP. */
export async function administratorCookie({ databaseUrl, origin }: Site): Promise<Cookie> {
  const there = await sql(databaseUrl, "select 1 from administrator where username = 'bench'");
  if (there.length === 0) await insertAdministrator(databaseUrl);
  const url = origin.replace(/^http:/, 'https:');
  return { name: '__Host-adminToken', value: administratorToken, url, httpOnly: true, secure: true, sameSite: 'Strict' };
}

async function second(context: BrowserContext, address: string, name: string, report: Report): Promise<void> {
  const fetched = await fetchedBy(context, address);
  report.budget({
    what: `${name}, second visit: in all`,
    measured: sum(fetched, ...kinds),
    limit: 1,
    unit: 'KB',
    detail: describe(fetched),
  });
}

/** Returns all requests of a visit in a new tab. */
export async function fetchedBy(context: BrowserContext, address: string): Promise<Fetched[]> {
  const { page, protocol } = await newTab(context);
  const fetched = new Map<string, Fetched>();
  protocol.on('Network.responseReceived', ({ requestId, type, response }) => {
    const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    fetched.set(requestId, { url: response.url, kind: kindOf[type] ?? 'other', encoding: encoding ?? 'plain', bytes: 0 });
  });
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const entry = fetched.get(requestId);
    if (entry) entry.bytes = encodedDataLength;
  });
  const response = await page.goto(address, { waitUntil: 'networkidle' });
  if (!response || response.status() >= 400 || response.url() !== address)
    throw new Error(`${address}: ${response?.status()} ${response?.url()}`);
  await page.waitForTimeout(afterwards);
  await page.close();
  return [...fetched.values()].filter(({ url, bytes }) => bytes > 0 && !url.startsWith('data:'));
}

const sum = (fetched: Fetched[], ...wanted: Kind[]): number =>
  fetched.filter(({ kind }) => wanted.includes(kind)).reduce((total, { bytes }) => total + bytes, 0) / 1000;

function describe(fetched: Fetched[]): string {
  const parts = kinds.flatMap((kind) => {
    const own = fetched.filter((entry) => entry.kind === kind);
    if (own.length === 0) return [];
    const encodings = [...new Set(own.map(({ encoding }) => encoding))].join('/');
    return [`${kind} ${sum(own, kind).toFixed(2)} KB in ${own.length} (${encodings})`];
  });
  return parts.join(', ') || 'nothing';
}
