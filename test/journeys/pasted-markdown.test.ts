import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, editor, openScreen, readToast } from '../support/authoring.ts';
import { allowErrors, stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { type Site, shareSite } from '../support/journey.ts';

// Plain text in Markdown or TeX, pasted as an assistant's copy button or a chat message gives it.

const site: Site = await shareSite(t);
const administrator = await createAdministrator(site);
const sentence = 'Ce texte semble contenir des formules ou de la mise en forme.';
const copied = [
  '## Suites',
  '',
  'Une suite est **croissante** si $u_{n+1} \\ge u_n$.',
  '',
  '1. Dériver',
  '2. Conclure',
  '',
  '| n | u |',
  '|---|---|',
  '| 0 | 1 |',
  '',
  '\\[',
  'x^2 = 2',
  '\\]',
].join('\n');

interface Desk {
  page: Page;
  area: Locator;
  offer: Locator;
  paste: (text: string, html?: string) => Promise<void>;
  stored: () => Promise<string>;
}

/** The first or last block, once the editor knows that the cursor is in it. */
const nearest = (area: Locator, which: 'first' | 'last') => area.locator(`> :${which}-child.editor__near`);

/** Opens a text that ends with `contenu`, with the cursor at its end. */
async function desk(t: Test, contenu: string, width = 1280): Promise<Desk> {
  const page = await site.page(t, { width });
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Suites', contenu: `<p>Début</p>${contenu}` });
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  const area = editor(page, 'Contenu');
  await area.click();
  await page.keyboard.press('ControlOrMeta+End');
  await nearest(area, 'last').waitFor();
  const paste = (text: string, html = '') =>
    area.evaluate(
      (element, { text, html }) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        if (html) clipboardData.setData('text/html', html);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { text, html },
    );
  const stored = async () => {
    await page.keyboard.press('ControlOrMeta+s');
    await readToast(page, 'Leçon mise à jour avec succès');
    const [row] = await site.rows<{ contenu: string }>('select contenu from item where id = $1', [id]);
    return (row?.contenu ?? '').replaceAll(/<math[\s\S]*?<\/math>/g, '');
  };
  return { page, area, offer: page.locator('.editor__offer').filter({ visible: true }), paste, stored };
}

for (const width of [360, 1280]) {
  t.test(`by keyboard, at ${width} px: formatted in one step, undone in one step`, { buffered: true }, async (t) => {
    const { page, area, offer, paste, stored } = await desk(t, '<p>Avant</p>', width);
    await page.keyboard.press('Enter');
    await paste(copied);
    await offer.getByText(sentence).waitFor();
    t.equal(await offer.getAttribute('role'), 'status');
    t.equal(await area.getByText('## Suites').count(), 1, 'until then the text is as it was copied');
    await assertAccessible(t, page, { within: '.editor' });
    await stepScreenshot(page, 'pasted-markdown');
    const lines = () => area.locator('> *').allTextContents();
    const literal = await lines();

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    t.equal(await page.evaluate(() => document.activeElement?.textContent?.includes('Mettre en forme')), true);
    await page.keyboard.press('Enter');
    await area.locator('h2', { hasText: 'Suites' }).waitFor();
    await offer.getByText(sentence).waitFor({ state: 'detached' });
    t.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'textbox', 'the text has the focus again');
    t.equal(await area.locator('strong', { hasText: 'croissante' }).count(), 1);
    t.same(await area.locator('ol li').allInnerTexts(), ['Dériver', 'Conclure']);
    t.equal(await area.locator('table').count(), 1);
    t.equal(await area.getByText('**').count(), 0);

    await page.keyboard.press('ControlOrMeta+z');
    t.same(await lines(), literal, 'one undo: the text as it was copied');
    await page.keyboard.press('ControlOrMeta+z');
    t.same(
      (await lines()).filter((line) => line !== ''),
      ['Début', 'Avant'],
      'the second undo removes the paste',
    );
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await page.keyboard.press('ControlOrMeta+Shift+z');
    t.equal(
      await stored(),
      '<p>Début</p><p>Avant</p><h2>Suites</h2><p>Une suite est <strong>croissante</strong> si <span class="formula" data-latex="u_{n+1} \\ge u_n"></span>.</p>' +
        '<ol><li>Dériver</li><li>Conclure</li></ol>' +
        '<div class="table-scroll" tabindex="0" role="group" aria-label="Tableau"><table><thead><tr><th scope="col">n</th><th scope="col">u</th></tr></thead><tbody><tr><td>0</td><td>1</td></tr></tbody></table></div>' +
        '<div class="formula-block" data-latex="x^2 = 2" tabindex="0" role="group" aria-label="Formule"></div>',
    );
  });
}

t.test('exactly the pasted words are replaced, within a sentence', { buffered: true }, async (t) => {
  const { page, offer, paste, stored } = await desk(t, '<p>Donc  est vrai.</p>');
  await page.keyboard.press('Home');
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('ArrowRight');
  await paste('$a^2 = 4$');
  await button(offer, /Mettre en forme/).click();
  await offer.getByText(sentence).waitFor({ state: 'detached' });
  t.equal(await stored(), '<p>Début</p><p>Donc <span class="formula" data-latex="a^2 = 4"></span> est vrai.</p>');
});

t.test('the offer goes with Escape, with a further edit and with its button, and the text stays', { buffered: true }, async (t) => {
  const { page, area, offer, paste, stored } = await desk(t, '<p>Avant</p>');
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.keyboard.type('!'),
    () => button(offer, 'Laisser tel quel').click(),
    async () => {
      await button(offer, 'Laisser tel quel').focus();
      await page.keyboard.press('Escape');
    },
  ];
  for (const leave of ways) {
    await paste('**gras**');
    await offer.getByText(sentence).waitFor();
    await leave();
    await offer.getByText(sentence).waitFor({ state: 'detached' });
    t.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'textbox');
  }
  t.equal(await area.locator('strong').count(), 0);
  t.equal(await stored(), '<p>Début</p><p>Avant**gras****gras**!**gras****gras**</p>');
});

t.test('nothing is offered for amounts, formatted HTML, code, or text pasted with Shift', { buffered: true }, async (t) => {
  const { page, area, offer, paste } = await desk(t, '<pre><code>x</code></pre><p>Avant</p>');
  // As in the other tests of foreign HTML: its styles are read, never applied.
  allowErrors(page, /inline style/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), 'Une **ligne**\n\n## Deux');
  await page.keyboard.press('ControlOrMeta+Shift+v');
  await area.getByText('## Deux').waitFor();
  t.equal(await area.locator('p').count(), 3, 'plain paragraphs');
  await paste('De 5 $ à 6 $.');
  await paste('**Mot** 1', '<p><strong>Mot</strong> 1</p>');
  await area.getByText('Mot 1').waitFor();
  await area.locator('pre').click();
  await paste('**code**');
  // Offers come in the order of the pastes: after this one, none of the earlier ones can follow.
  await area.getByText('Mot 1').click();
  await nearest(area, 'last').waitFor();
  await paste('**Fin** 2', '<div style="white-space:pre"><span>**Fin** 2</span></div>');
  await offer.getByText(sentence).waitFor();
  await button(offer, /Mettre en forme/).click();
  await area.locator('strong', { hasText: 'Fin' }).waitFor();
  t.equal(await area.getByText('**code**').count(), 1);
  t.match(await area.innerText(), 'Une **ligne**');
});

t.test('without network, or with a change meanwhile, the text stays as it is and nothing is lost', { buffered: true }, async (t) => {
  const { page, area, offer, paste } = await desk(t, '<p>Avant </p>');
  allowErrors(page, /ERR_FAILED/);
  const calls = '**/api/imports';
  await paste('**gras**');
  await page.route(calls, (route) => route.abort());
  await button(offer, /Mettre en forme/).click();
  await offer
    .getByText('Le serveur ne répond pas : votre texte reste tel quel. Vérifiez votre connexion, puis réessayez.', { exact: true })
    .waitFor();
  t.match(await area.innerText(), 'Avant **gras**');
  await page.unroute(calls);

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(calls, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(calls);
  await button(offer, /Réessayer/).click();
  await asked;
  await area.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('X');
  release();
  await readToast(page, 'Le texte collé a changé entre-temps : il reste tel quel.', 'warning');
  t.match(await area.innerText(), 'Avant **gras*X*');
});

t.test('text typed elsewhere while the server reads stays, and remarks stay until they are read', { buffered: true }, async (t) => {
  const { page, area, offer, paste, stored } = await desk(t, '<p>Avant</p>');
  await page.keyboard.press('Enter');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/imports', async (route) => {
    await held;
    await route.continue();
  });
  await paste('**gras** et $\\inconnue{x} + 1$');
  const asked = page.waitForRequest('**/api/imports');
  await button(offer, /Mettre en forme/).click();
  await asked;
  await area.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await nearest(area, 'first').waitFor();
  await page.keyboard.type('Bien ');
  release();
  await offer.getByText('À vérifier dans le texte collé :').waitFor();
  await assertAccessible(t, page, { within: '.editor' });
  await page.keyboard.type('!');
  await button(offer, "J'ai vérifié").click();
  t.match(await stored(), /^<p>Bien Début<\/p><p>Avant<\/p><p><strong>gras<\/strong> et /);
});
