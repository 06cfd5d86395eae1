// Slow: every formula of the demonstration is drawn at several widths.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { presentSession, shareSite } from '../support/journey.ts';
import { isLongForm } from '../support/long-form.ts';
import { assertStill } from '../support/page-checks.ts';

// Formulas within lines of text, checked by their drawn boxes: all of the demonstration's, with our font and with fonts that phones have
// instead.

const site = await shareSite(t, { demo: true });
const learner = await createLearner(site);
for (const prepa of await site.rows<{ id: number; nom: string }>('select id, nom from prepa')) await createEnrolment(site, learner, prepa);
const paths = (
  await site.rows<{ path: string }>(
    `select format('/user/prepa/%s/%s?type=%s&item=%s', d.prepa_id, d.id, i.kind, i.id) as path
     from item i join discipline d on d.id = i.discipline_id
     -- The page of a series has its introduction only.
     where i.kind <> 'quiz' and concat(i.contenu, i.corrige) like '%class="formula"%' order by i.id`,
  )
).map(({ path }) => path);

/** Fonts for formulas by name, and the widths tested in the short form. Phones have another mathematical font, or none. */
const fonts = {
  'our font': { family: 'Ours', widths: [360, 1280] },
  'another font for mathematics': { family: '"DejaVu Math TeX Gyre"', widths: [360] },
  serif: { family: 'serif', widths: [1280] },
};

/** Puts these texts on one page, at their usual width, with corrections open. */
async function allTexts(t: Test, page: Page, paths: string[]): Promise<void> {
  // After a first visit, pages no longer contain inline styles.
  await page.request.get(paths[0] ?? '');
  const documents = await Promise.all(paths.map(async (path) => (await page.request.get(path)).text()));
  await page.goto(paths[0] ?? '');
  await assertStill(t, page);
  await page.evaluate((others) => {
    const [first] = document.querySelectorAll('.prose');
    for (const html of others)
      for (const text of new DOMParser().parseFromString(html, 'text/html').querySelectorAll('.prose'))
        first?.parentElement?.append(document.importNode(text, true));
    for (const details of document.querySelectorAll<HTMLDetailsElement>('.correction')) details.open = true;
    // The page's own font may have come too late; this one is certainly loaded.
    const address = document.querySelector<HTMLLinkElement>('link[as="font"]')?.href;
    const ours = new FontFace('Ours', `url("${address}")`);
    document.fonts.add(ours);
    return ours.load().then(() => {});
  }, documents.slice(1));
}

/** The short form keeps one text of three. */
const isOneOfThree = (_: unknown, index: number): boolean => index % 3 === 0;
const keepSomeTexts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const [index, text] of document.querySelectorAll('.prose').entries()) if (index % 3 !== 0) text.remove();
  });

async function drawFormulasWith(page: Page, family: string): Promise<void> {
  await page.evaluate((family) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`math { font-family: ${family}; }`);
    document.adoptedStyleSheets = [sheet];
    return document.fonts.ready.then(() => {});
  }, family);
}

interface Fault {
  /** The boxes that are too close, or apart. */
  what: string;
  /** Distance in pixels. */
  gap: number;
}

/** Returns formulas that are closer to another line of their block than `air` times their font size. */
const crowded = (page: Page, air: number): Promise<{ looked: number; faults: Fault[] }> =>
  page.evaluate((least) => {
    const faults: { what: string; gap: number }[] = [];
    let looked = 0;
    const blocks = new Set(
      [...document.querySelectorAll('.prose .formula')].map((formula) =>
        formula.closest('p, li, td, th, h1, h2, h3, h4, h5, h6, figcaption'),
      ),
    );
    for (const block of blocks) {
      if (!block) continue;
      const drawn: { text: string; formula: boolean; line: number; box: DOMRect }[] = [];
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_ALL, (node) =>
        node instanceof Element && node.closest('math')
          ? node.localName === 'math'
            ? NodeFilter.FILTER_ACCEPT
            : NodeFilter.FILTER_REJECT
          : NodeFilter.FILTER_ACCEPT,
      );
      let line = 0;
      const add = (text: string, formula: boolean, box: DOMRect) => {
        if (box.width === 0) return;
        // A box further left is on the next line, or is drawn over the previous one; then there is no gap.
        const before = drawn.at(-1);
        if (before && box.left < before.box.right - 1) line += 1;
        drawn.push({ text, formula, line, box });
      };
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        // A long formula is broken into rows, and a wide one exceeds its box, so the children are measured.
        if (node instanceof Element && node.localName === 'math')
          for (const part of node.children) add(part.textContent ?? '', true, part.getBoundingClientRect());
        else if (node instanceof Text && !node.parentElement?.closest('math')) {
          const range = document.createRange();
          range.selectNodeContents(node);
          for (const box of range.getClientRects()) add(node.data.trim().slice(0, 20), false, box);
        }
      }
      const size = Number.parseFloat(getComputedStyle(block).fontSize);
      for (const one of drawn.filter(({ formula }) => formula))
        for (const other of drawn) {
          const over = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          if (other.line <= one.line && !(other.line < one.line && !other.formula)) continue;
          const [upper, lower] = other.line > one.line ? [one, other] : [other, one];
          if (over < 0.5) continue;
          looked += 1;
          const gap = lower.box.top - upper.box.bottom;
          if (gap < (one.formula && other.formula ? least * size : 0)) faults.push({ what: `${upper.text} / ${lower.text}`, gap });
        }
    }
    return { looked, faults };
  }, air);

/** Returns punctuation marks that are on another line than their formula. */
const parted = (page: Page): Promise<{ looked: number; faults: Fault[] }> =>
  page.evaluate(() => {
    const faults: { what: string; gap: number }[] = [];
    let looked = 0;
    for (const formula of document.querySelectorAll('.prose .formula')) {
      const block = formula.closest('p, li, td, th, h1, h2, h3, h4, h5, h6, figcaption');
      const math = formula.querySelector('math');
      if (!block || !math) continue;
      const rows = [...math.children];
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
        node.parentElement?.closest('.formula') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
      );
      let before: Text | null = null;
      let after: Text | null = null;
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        if (formula.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING) before = node;
        else after ??= node;
      }
      const neighbours = [
        [before as Text | null, /[([«“][\u00a0\u202f]?$/, 'before'],
        [after as Text | null, /^(?:[ \u00a0\u202f]?[;:!?»]|[.,)\]”…])+/, 'after'],
      ] as const;
      for (const [text, marks, side] of neighbours) {
        const found = text && marks.exec(text.data);
        if (!text || !found) continue;
        // There must be nothing else between formula and mark.
        const between = document.createRange();
        if (side === 'before') {
          between.setStart(text, text.length);
          between.setEndBefore(formula);
        } else {
          between.setStartAfter(formula);
          between.setEnd(text, 0);
        }
        if (between.cloneContents().querySelector('.formula, br, img')) continue;
        looked += 1;
        const range = document.createRange();
        range.setStart(text, found.index);
        range.setEnd(text, found.index + found[0].length);
        const mark = range.getBoundingClientRect();
        const beside = (rows.at(side === 'after' ? -1 : 0) as Element).getBoundingClientRect();
        const away = side === 'after' ? mark.left - beside.right : beside.left - mark.right;
        const apart = mark.top > beside.bottom || mark.bottom < beside.top;
        if (apart || Math.abs(away) > 1) faults.push({ what: `${side} ${formula.textContent} ${found[0]}`, gap: Math.round(away) });
      }
    }
    return { looked, faults };
  });

/** Returns the brightness at the left and right end of the first scrollable table; 255 is white. */
async function endsOfTable(page: Page, scrolled: number): Promise<{ left: number; right: number }> {
  const table = page.locator('.table-scroll.wide');
  const width = await table.evaluate((element, scrolled) => {
    element.scrollLeft = scrolled * element.scrollWidth;
    return element.clientWidth;
  }, scrolled);
  const picture = await table.screenshot({ scale: 'css' });
  const shade = async (left: number) => {
    const strip = await sharp(picture).extract({ left, top: 1, width: 2, height: 20 }).toBuffer();
    return (await sharp(strip).stats()).channels[0]?.mean ?? Number.NaN;
  };
  return { left: await shade(0), right: await shade(width - 2) };
}

/** Returns whether the page's first formula is drawn with our font. */
async function drawnWithOurs(page: Page): Promise<boolean> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('DOM.enable');
  await protocol.send('CSS.enable');
  const { root } = await protocol.send('DOM.getDocument');
  const { nodeId } = await protocol.send('DOM.querySelector', { nodeId: root.nodeId, selector: '.prose math' });
  const { fonts } = await protocol.send('CSS.getPlatformFontsForNode', { nodeId });
  await protocol.detach();
  return fonts.some(({ isCustomFont }) => isCustomFont);
}

for (const width of [360, 1280]) {
  t.test(`at ${width} px`, async (t) => {
    const page = await newPage(t, { width, baseURL: site.url, allow: [/ERR_FAILED/] });
    await page.route(/\.js$/, (route) => route.abort());
    await presentSession(page, site, learner);
    // A phone has the most lines: it shows all texts with our font.
    await allTexts(t, page, isLongForm || width === 360 ? paths : paths.filter(isOneOfThree));
    for (const [name, { family, widths }] of Object.entries(fonts)) {
      if (!isLongForm && !widths.includes(width)) continue;
      await drawFormulasWith(page, family);
      const lines = await crowded(page, 0.15);
      t.ok(lines.looked > 100, `${lines.looked} neighbours above and below`);
      t.same(lines.faults, [], `${name}: a formula keeps clear of the lines above and below`);
      const marks = await parted(page);
      t.ok(marks.looked > 100, `${marks.looked} marks beside formulas`);
      t.same(marks.faults, [], `${name}: punctuation is on the line of its formula`);
      if (!isLongForm && width === 360 && name === 'our font') await keepSomeTexts(page);
    }
    const parts = await page.evaluate(() => [...document.fonts].filter(({ family }) => family !== 'Ours').map(({ status }) => status));
    t.equal(parts.filter((status) => status !== 'unloaded').length, 1, 'the page loads one font file for all formulas');
    if (width !== 360) return;
    await page.evaluate(() => {
      const isWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 40;
      [...document.querySelectorAll('.table-scroll')].find(isWide)?.classList.add('wide');
    });
    const [start, end] = [await endsOfTable(page, 0), await endsOfTable(page, 1)];
    t.ok(start.right < start.left - 20, `a shadow at the right edge shows that the table continues: ${JSON.stringify(start)}`);
    t.ok(end.left < end.right - 20, `a shadow at the left edge shows that the table continues: ${JSON.stringify(end)}`);
  });
}

t.test('a font that loads late moves no line, and is used for the texts shown afterwards', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await presentSession(page, site, learner);
  const late = Promise.withResolvers<void>();
  await page.route(/common-[^/]+\.woff2$/, async (route) => {
    await late.promise;
    await route.continue();
  });
  const [lesson] = await site.rows<{ path: string }>(
    `select format('/user/prepa/%s/%s', prepa_id, id) as path from discipline where nom = 'Mathématiques' order by id`,
  );
  await page.goto(lesson?.path ?? '', { waitUntil: 'commit' });
  await page.locator('.prose math').first().waitFor();
  await assertStill(t, page, 'before the font');
  late.resolve();
  await page.waitForLoadState('networkidle');
  t.equal(await drawnWithOurs(page), false, 'the text being read stays as it is');
  await assertStill(t, page, 'with it');
  const title = await page.title();
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.waitForFunction((title) => document.title !== title, title);
  t.equal(await drawnWithOurs(page), true, 'the next text has our font');
  await page.unrouteAll();
  // The browser did not cache the font that was held back above.
  await page.reload({ waitUntil: 'networkidle' });
  await page.reload();
  t.equal(await drawnWithOurs(page), true, 'the next page has our font');
  await assertStill(t, page, 'the next page');
});

/** Returns the page without the signs in formulas that only text browsers show (decision 051), and without the rows added for them. */
function withoutSigns(html: string): string {
  const signs = '(?:<mphantom>[^<]*</mphantom>)';
  const besideOne = new RegExp(`<mrow>${signs}*(<(m[ino]|mtext)[^>]*>[^<]*</\\2>)${signs}*</mrow>`, 'g');
  return html.replace(besideOne, '$1').replaceAll(new RegExp(signs, 'g'), '');
}

t.test('the signs for text browsers in formulas make no page more than 8 % larger', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await presentSession(page, site, learner);
  // After a first visit, pages no longer contain inline styles.
  await page.request.get(paths[0] ?? '');
  const heavy: string[] = [];
  for (const path of paths) {
    const html = await (await page.request.get(path)).text();
    const bare = withoutSigns(html);
    t.ok(bare.length < html.length, path);
    const more = gzipSync(html).length / gzipSync(bare).length - 1;
    if (more > 0.08) heavy.push(`${path}: ${(more * 100).toFixed(1)} %`);
  }
  t.same(heavy, []);
});
