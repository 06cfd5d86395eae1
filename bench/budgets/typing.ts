/** Measures the cost of a keystroke in the editor with a large lesson, as a multiple of a bare ProseMirror with the same document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { build } from 'vite';
import { loadAssets } from '../../src/platform/pages/assets.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { insertLessons } from '../support/fixtures.ts';
import { largeLesson } from '../support/large-lesson.ts';
import { median, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';
import { administratorCookie } from './wire.ts';

const warmUpKeys = 60;
const keys = 120;
const rounds = 5;

export async function measureTyping(workshop: Workshop, browser: Browser, site: Site, report: Report): Promise<void> {
  const { doc, html } = await largeLesson(site.databaseUrl);
  report.section(`A key in a lesson of ${Math.round(Buffer.byteLength(doc.textContent) / 1000)} KB with 100 formulas and 30 images`);
  const [disciplineId] = site.disciplines;
  if (!disciplineId) throw new Error('no discipline');
  const [lesson] = await insertLessons(site.databaseUrl, disciplineId, [html]);

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'fr-FR' });
  await context.addCookies([await administratorCookie(site)]);
  const bare = await context.newPage();
  await openBare(workshop, bare, site.origin, doc.toJSON());
  const ours = await context.newPage();
  await ours.goto(`${site.origin}/admin/discipline/${disciplineId}?type=course&item=${lesson?.id}`);
  const sides = [await typist(bare), await typist(ours)] as const;
  for (const type of sides) await type(warmUpKeys);
  const costs: { bare: number; ours: number }[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push({ bare: await sides[0](keys), ours: await sides[1](keys) });
  await context.close();

  report.fact('bare ProseMirror', `${median(costs.map(({ bare }) => bare)).toFixed(2)} ms of the page's main thread a key`);
  report.fact('the editor, drafts and toolbar included', `${median(costs.map(({ ours }) => ours)).toFixed(2)} ms`);
  const ratios = costs.map(({ bare, ours }) => ours / bare);
  report.budget({ what: 'a key in the editor', measured: median(ratios), limit: 2, unit: '× bare', detail: spread(ratios) });
}

/** Opens the bare editor in a page of the site's origin, with the site's style sheets, so that the layout is the same. */
export async function openBare(workshop: Workshop, page: Page, origin: string, json: unknown): Promise<void> {
  const outDir = join(workshop.folder, 'bare-editor');
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      lib: { entry: join(projectRoot, 'bench/budgets/bare-editor.ts'), formats: ['es'], fileName: 'bare-editor' },
    },
  });
  const script = readFileSync(join(outDir, 'bare-editor.js'), 'utf8');
  const { css, adminCss } = loadAssets();
  const body = `<!doctype html><html lang="fr"><head><meta charset="utf-8"><link rel="stylesheet" href="${css}"><link rel="stylesheet" href="${adminCss}"></head>
    <body data-area="admin"><main id="editor"></main><script>window.documentJson = ${JSON.stringify(json).replaceAll('<', '\\u003c')}</script>
    <script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`;
  await page.route(`${origin}/bare-editor`, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await page.goto(`${origin}/bare-editor`);
}

/**
 * Returns a function that types in the middle of the text and returns the cost of a keystroke, in ms of main thread time: script, style,
 * layout, paint.
 */
async function typist(page: Page): Promise<(count: number) => Promise<number>> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable');
  const paragraphs = page.locator('.ProseMirror > p');
  await paragraphs.first().waitFor();
  const middle = paragraphs.nth(Math.floor((await paragraphs.count()) / 2));
  return async (count) => {
    await page.bringToFront();
    await middle.scrollIntoViewIfNeeded();
    await middle.click();
    const before = await taskMs(protocol);
    const length = (await middle.textContent())?.length ?? 0;
    for (let key = 0; key < count; key += 1) await page.keyboard.press(key % 7 === 6 ? 'Space' : 'e');
    // Wait until the last character is painted.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const cost = (await taskMs(protocol)) - before;
    const typed = ((await middle.textContent())?.length ?? 0) - length;
    if (typed !== count) throw new Error(`${count} keys were pressed, ${typed} characters arrived`);
    return cost / count;
  };
}

async function taskMs(protocol: CDPSession): Promise<number> {
  const { metrics } = await protocol.send('Performance.getMetrics');
  const task = metrics.find(({ name }) => name === 'TaskDuration')?.value;
  if (task === undefined) throw new Error('the browser does not say how long its tasks took');
  return task * 1000;
}
