/**
 * Measures keys and a save in a lesson of 179 pages on a phone's screen with a processor slowed six times: the time from a key to its
 * picture, as a multiple of a bare ProseMirror with the same document, and the bytes of a save of one word.
 */
import type { Browser, Page } from 'playwright-core';
import { insertLessons } from '../support/fixtures.ts';
import { course, largeLesson } from '../support/large-lesson.ts';
import { median, p95, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { openBare } from './typing.ts';
import { administratorCookie } from './wire.ts';

const slowdown = 6;
const keys = 40;
const rounds = 3;

export async function measureLongTyping(workshop: Workshop, browser: Browser, site: Site, report: Report): Promise<void> {
  const { doc, html } = await largeLesson(site.databaseUrl, course);
  const wholeBytes = Buffer.byteLength(JSON.stringify(doc.toJSON()));
  report.section(`A lesson of 179 pages (${Math.round(wholeBytes / 1000)} KB of JSON) at 360 px, processor slowed ${slowdown} times`);
  const [disciplineId] = site.disciplines;
  if (!disciplineId) throw new Error('no discipline');
  const [lesson] = await insertLessons(site.databaseUrl, disciplineId, [html]);

  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, locale: 'fr-FR' });
  context.setDefaultTimeout(120_000);
  await context.addCookies([await administratorCookie(site)]);
  const bare = await context.newPage();
  await openBare(workshop, bare, site.origin, doc.toJSON());
  const ours = await context.newPage();
  await ours.goto(`${site.origin}/admin/discipline/${disciplineId}?type=course&item=${lesson?.id}`);
  const sides = [await typist(bare), await typist(ours)] as const;
  for (const type of sides) await type(keys);
  const rows: { bare: number[]; ours: number[] }[] = [];
  for (let round = 0; round < rounds; round += 1) rows.push({ bare: await sides[0](keys), ours: await sides[1](keys) });

  const all = (side: 'bare' | 'ours') => rows.flatMap((row) => row[side]);
  for (const [side, name] of [
    ['bare', 'bare ProseMirror'],
    ['ours', 'the editor'],
  ] as const)
    report.fact(`${name}: a key until its picture`, `p95 ${p95(all(side)).toFixed(0)} ms, median ${median(all(side)).toFixed(0)} ms`);
  const ratios = rows.map(({ bare, ours }) => p95(ours) / p95(bare));
  report.budget({ what: 'p95 of a key in the editor', measured: median(ratios), limit: 2, unit: '\u00d7 bare', detail: spread(ratios) });
  const save = await saveOneWord(ours);
  await context.close();
  report.fact('a save of one word', `${save.sent} bytes sent, ${save.received} received`);
  report.budget({ what: 'a save of one word', measured: save.sent / wholeBytes, limit: 0.01, unit: '\u00d7 the text', digits: 4 });
}

/** Returns a function that types in the middle of the text and returns the time of each key until its picture, in ms. */
async function typist(page: Page): Promise<(count: number) => Promise<number[]>> {
  const paragraphs = page.locator('.ProseMirror > p');
  await paragraphs.first().waitFor();
  const middle = paragraphs.nth(Math.floor((await paragraphs.count()) / 2));
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return async (count) => {
    await page.bringToFront();
    await middle.scrollIntoViewIfNeeded();
    await middle.click();
    await page.evaluate(() => {
      const times: number[] = [];
      (window as unknown as { times: number[] }).times = times;
      document.addEventListener(
        'keydown',
        ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp))),
        { capture: true },
      );
    });
    const length = (await middle.textContent())?.length ?? 0;
    for (let key = 0; key < count; key += 1) {
      await page.keyboard.press(key % 7 === 6 ? 'Space' : 'e');
      await page.waitForFunction((typed) => (window as unknown as { times: number[] }).times.length >= typed, key + 1);
    }
    const typed = ((await middle.textContent())?.length ?? 0) - length;
    if (typed !== count) throw new Error(`${count} keys were pressed, ${typed} characters arrived`);
    return page.evaluate(() => (window as unknown as { times: number[] }).times);
  };
}

async function saveOneWord(page: Page): Promise<{ sent: number; received: number }> {
  const save = async () => {
    const answer = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.keyboard.press('Control+s');
    const response = await answer;
    if (!response.ok()) throw new Error(`the save was refused: ${response.status()}`);
    return { sent: response.request().postDataBuffer()?.length ?? 0, received: (await response.body()).length };
  };
  await page.getByLabel('Titre', { exact: true }).fill('Cours de 179 pages');
  await save();
  await page.locator('.ProseMirror > p').first().click();
  await page.keyboard.type(' mot');
  return save();
}
