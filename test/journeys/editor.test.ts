import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { editor, openScreen, readToast } from '../support/authoring.ts';
import { allowErrors } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { type Site, shareSite } from '../support/journey.ts';

// The editor used with mouse, keyboard and phone. The stored text is read from the database.

const site: Site = await shareSite(t);
const administrator = await createAdministrator(site);

interface Desk {
  page: Page;
  area: Locator;
  /** Saves the text and returns the stored HTML. */
  stored: () => Promise<string>;
}

/** Opens a lesson in the editor, with the cursor at its end. */
async function desk(t: Test, contenu = '', width = 1280): Promise<Desk> {
  const page = await site.page(t, { width });
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Suites', contenu });
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  const area = editor(page, 'Contenu');
  await area.click();
  await page.keyboard.press('ControlOrMeta+End');
  const stored = async () => {
    await page.keyboard.press('ControlOrMeta+s');
    await readToast(page, 'Leçon mise à jour avec succès');
    const [row] = await site.rows<{ contenu: string }>('select contenu from item where id = $1', [id]);
    return row?.contenu ?? '';
  };
  return { page, area, stored };
}

const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => dialog(page).waitFor({ state: 'detached' });
const insert = async (page: Page, action = 'Insérer') => {
  await dialog(page).getByRole('button', { name: action, exact: true }).click();
  await closed(page);
};
async function choose(page: Page, menu: string | RegExp, entry: string): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: menu }).click();
  await page.getByRole('menuitemradio', { name: entry, exact: true }).click();
}

t.test('with the mouse: the chosen formats are stored', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t);
  await page.keyboard.type('Suites');
  await choose(page, /^Style du paragraphe/, 'Titre 3');
  await tool(page, 'Centrer').click();
  await page.keyboard.press('Enter');
  await tool(page, 'Gras').click();
  t.equal(await tool(page, 'Gras').getAttribute('aria-pressed'), 'true');
  await page.keyboard.type('gras');
  await tool(page, 'Gras').click();
  await choose(page, /^Couleur du texte/, 'Rouge');
  await choose(page, /^Couleur de fond/, 'Jaune');
  await page.keyboard.type('vif');
  await choose(page, /^Couleur de fond/, 'Aucune');
  await choose(page, /^Couleur du texte/, 'Aucune');
  await tool(page, 'Exposant').click();
  await page.keyboard.type('2');
  await tool(page, 'Effacer la mise en forme').click();
  await tool(page, 'Lien').click();
  await dialog(page).getByLabel('Adresse').fill('exemple.cm/cours');
  await dialog(page).getByLabel('Texte du lien').fill('le cours');
  await insert(page);
  await page.keyboard.press('Enter');
  await tool(page, 'Liste numérotée').click();
  await page.keyboard.type('un');
  await tool(page, 'Numérotation de la liste').click();
  await dialog(page).getByLabel('Forme des numéros').selectOption('a) b) c)');
  await dialog(page).getByLabel('Numéro du premier élément').fill('4');
  await dialog(page).getByText("Il s'écrit d)").waitFor();
  await insert(page, 'Appliquer');
  await page.keyboard.press('Enter');
  await page.keyboard.type('deux');
  await tool(page, 'Augmenter le retrait').click();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Enter');
  await tool(page, 'Ligne de séparation').click();
  await page.keyboard.type('cité');
  await tool(page, 'Citation').click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await tool(page, 'De droite à gauche').click();
  await tool(page, 'Augmenter le retrait').click();
  await page.keyboard.type('نص');
  t.equal(
    await stored(),
    '<h3 class="align-center">Suites</h3>' +
      '<p><strong>gras</strong><span class="color-red"><span class="bg-yellow">vif</span></span><sup>2</sup><a href="https://exemple.cm/cours">le cours</a></p>' +
      '<ol start="4" type="a" data-label="a)"><li>un<ol><li>deux</li></ol></li></ol><hr><blockquote><p>cité</p></blockquote><p class="indent-1" dir="rtl">نص</p>',
  );
  t.equal(
    await area.locator('h3').evaluate((heading) => getComputedStyle(heading).textAlign),
    'center',
    'the heading is displayed centred',
  );
});

t.test('pictures, videos and tables', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t);
  await tool(page, 'Image').click();
  const buffer = await sharp({ create: { width: 2, height: 1, channels: 3, background: '#036' } })
    .png()
    .toBuffer();
  await dialog(page).getByLabel("Adresse de l'image").fill('javascript:alert(1)');
  await dialog(page).getByRole('button', { name: 'Insérer', exact: true }).click();
  await dialog(page).getByText('Adresse refusée').waitFor();
  await dialog(page).getByLabel('Fichier').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await dialog(page).getByRole('img', { name: 'Aperçu' }).waitFor();
  await dialog(page).getByLabel('Texte de remplacement').fill('Une courbe');
  await dialog(page).getByLabel('Légende', { exact: true }).fill('Figure 1');
  await insert(page);
  // A double click reopens the dialog; the caption is edited in place.
  await area.locator('figure img').dblclick();
  await dialog(page).getByLabel('Texte de remplacement').fill('Une droite');
  await insert(page, 'Mettre à jour');
  await area.locator('figcaption').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' bis');
  await page.keyboard.press('Enter');

  await tool(page, 'Vidéo').click();
  await dialog(page).getByLabel('Adresse de la vidéo').fill('https://exemple.cm/page');
  await dialog(page).getByRole('button', { name: 'Insérer', exact: true }).click();
  await dialog(page).getByText('Vidéo non reconnue').waitFor();
  await dialog(page).getByLabel('Adresse de la vidéo').fill('https://youtu.be/dQw4w9WgXcQ');
  await dialog(page).getByLabel('Titre', { exact: true }).fill('Cours');
  await insert(page);

  t.equal(await page.getByRole('toolbar').count(), 1);
  await tool(page, 'Tableau').click();
  await dialog(page).getByLabel('Lignes').fill('2');
  await dialog(page).getByLabel('Colonnes').fill('2');
  await insert(page);
  // The table tools are shown while the cursor is in the table.
  await page.getByRole('toolbar', { name: 'Tableau' }).waitFor();
  for (const text of ['A', 'B', 'C', 'D']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('E');
  await choose(page, /^Largeur de la colonne/, '30 %');
  await tool(page, 'Insérer une ligne au-dessus').click();
  await tool(page, 'Supprimer la ligne').click();
  await page.keyboard.type('F');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.keyboard.type('fin');
  t.match(
    (await stored()).replace(/\/media\/[\w./-]+/, '/media/x').replace(/ tabindex="0" role="group" aria-label="Tableau"| rel="[^"]*"/g, ''),
    '<figure><img src="/media/x" alt="Une droite" width="2" height="1" loading="lazy" decoding="async"><figcaption>Figure 1 bis</figcaption></figure>' +
      '<div class="video" data-video="https://www.youtube.com/watch?v=dQw4w9WgXcQ" data-title="Cours"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">Vidéo YouTube : Cours</a></div>' +
      '<div class="table-scroll"><table><thead><tr><th class="w-30" scope="col">A</th><th scope="col">B</th></tr></thead>' +
      '<tbody><tr><td class="w-30">C</td><td>D</td></tr><tr><td>F</td><td></td></tr></tbody></table></div><p>fin</p>',
  );
});

t.test('by keyboard: the toolbar, and the way out of the text', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await page.keyboard.press('Alt+F10');
  t.equal(await focused(), 'Annuler', 'the toolbar is a single tab stop');
  await page.keyboard.press('ArrowLeft');
  t.equal(await focused(), 'Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)');
  await page.keyboard.press('Home');
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
  t.equal(await focused(), 'Gras');
  t.equal(await page.locator('.editor__tip').innerText(), 'Gras\nCtrl+B', 'the tooltip names the keys');
  await page.keyboard.press('Escape');
  t.equal(await focused(), 'Contenu');
  t.equal(await page.locator('.editor__tip').count(), 0);
  await page.keyboard.press('Alt+F10');
  t.equal(await focused(), 'Gras', 'the toolbar keeps the position of its last focus');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  t.equal(await page.locator(':focus').getAttribute('aria-checked'), 'true', 'a menu begins at the active entry');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Titre');
  await page.keyboard.press('Enter');

  // Shortcuts of word processors.
  await page.keyboard.press('Control+i');
  await page.keyboard.type('penché');
  await page.keyboard.press('Control+i');
  await page.keyboard.press('Control+e');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+l');
  await page.keyboard.type('- a');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('b');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  t.not(await focused(), 'Contenu', 'Escape, then Tab moves the focus out of the editor');
  await area.focus();
  await page.keyboard.press('Shift+Tab');
  t.equal(await focused(), 'Contenu', 'Shift+Tab in a list lifts the item and keeps the focus');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+y');
  t.equal(await stored(), '<h1>Titre</h1><p class="align-center"><em>penché</em></p><ul><li>a</li><li>b</li></ul>');
  // In a paragraph Tab moves the focus out of the editor.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Tab');
  t.not(await focused(), 'Contenu');
});

t.test('typing faster than the screen is drawn loses nothing', { buffered: true }, async (t) => {
  const { area, stored } = await desk(t);
  // All input comes between two frames; the editor reads it when the browser allows.
  await area.evaluate(async (element) => {
    const press = (key: string, more: KeyboardEventInit = {}) =>
      element.dispatchEvent(new KeyboardEvent('keydown', { key, ...more, bubbles: true, cancelable: true }));
    const write = async (words: string) => {
      for (const letter of words) {
        document.execCommand('insertText', false, letter);
        await null;
      }
    };
    await write('non');
    // The tool is still shown as disabled.
    document.querySelector<HTMLElement>('[data-tool="undo"][aria-disabled]')?.click();
    press('&', { code: 'Digit1', ctrlKey: true, altKey: true });
    await write('Titre');
    press('Enter');
    press('i', { ctrlKey: true });
    await write('penché');
    press('Enter');
    press('i', { ctrlKey: true });
    await write('- a');
    press('Enter');
    press('Tab');
    await write('b');
  });
  t.equal(await stored(), '<h1>Titre</h1><p><em>penché</em></p><ul><li>a<ul><li>b</li></ul></li></ul>');
});

t.test('a key or a tool used sooner than a frame after the cursor has moved applies to the new place', { buffered: true }, async (t) => {
  const { area, stored } = await desk(t, '<p>un</p><p>deux</p><p>trois</p>');
  await area.evaluate(async (element) => {
    const put = (paragraph: number, offset: number) => getSelection()?.collapse(element.children[paragraph]?.firstChild ?? null, offset);
    const press = (key: string) => element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    put(0, 2);
    press('Enter');
    put(2, 2);
    press('Enter');
    document.execCommand('insertText', false, '2');
    await null;
    put(4, 2);
    document.querySelector<HTMLElement>('[data-tool="bullet_list"]')?.click();
  });
  t.equal(await stored(), '<p>un</p><p></p><p>de</p><p>2ux</p><ul><li>trois</li></ul>');
});

t.test('formulas are written with a preview', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t, '<p>Soit </p>');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.keyboard.type('$u_n$ et ');
  await area.locator('.formula math').waitFor();
  await page.keyboard.press('Control+m');
  const latex = dialog(page).getByLabel('Formule en LaTeX');
  const preview = dialog(page).getByLabel('Aperçu de la formule');
  await latex.fill('\\foo');
  await dialog(page).getByText('Formule incorrecte : commande inconnue \\foo (caractère 1)').waitFor();
  await page.keyboard.press('Control+Enter');
  t.ok(await latex.isVisible(), 'an invalid formula keeps the dialog open');
  await latex.fill('');
  await dialog(page).getByRole('button', { name: 'Fraction', exact: true }).click();
  await page.keyboard.type('a+1');
  t.equal(await latex.inputValue(), '\\dfrac{a+1}{}', 'the cursor is in the first gap');
  await preview.locator('mfrac').waitFor();
  // A formula that would take minutes is given up; the page stays responsive.
  await latex.fill('\\cancelto{1}{'.repeat(140) + '}'.repeat(140));
  await dialog(page).getByText('La formule demande trop de temps').waitFor();
  await latex.fill('\\dfrac{a}{b}');
  await preview.locator('mfrac mi').first().waitFor();
  await assertAccessible(t, page);
  await page.keyboard.press('Control+Enter');
  await closed(page);
  await page.keyboard.type(' fin');
  await area.locator('.formula mfrac').dblclick();
  await dialog(page).getByLabel('Sur sa propre ligne').check();
  await latex.fill('x^2');
  await insert(page, 'Mettre à jour');
  t.match(
    (await stored()).replaceAll(/<math.*?<\/math>/g, '<math/>'),
    /^<p>Soit <span class="formula" data-latex="u_n"><math\/><\/span> et <\/p><div class="formula-block" data-latex="x\^2"[^>]*><math\/><\/div><p> fin<\/p>$/,
  );
  t.equal(asked.filter((path) => path.includes('formules')).length, 0, 'the browser renders formulas without a request');
});

t.test('code shows its words marked up, in the language that is chosen', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t);
  await page.keyboard.type('```python return 1');
  await area.locator('.hljs-keyword', { hasText: 'return' }).waitFor();
  await area.getByLabel('Langage du code').selectOption('');
  await area.locator('.hljs-keyword').waitFor({ state: 'detached' });
  await area.getByLabel('Langage du code').selectOption('c');
  await area.locator('.hljs-keyword').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('fin');
  t.match((await stored()).replaceAll(/<\/?span[^>]*>/g, ''), '<pre><code class="language-c">return 1</code></pre><p>fin</p>');
});

t.test('the first paste loads a script, and inserts plain text if it cannot be loaded', { buffered: true }, async (t) => {
  const { page, area } = await desk(t);
  allowErrors(page, /inline style/, /ERR_FAILED/);
  const paste = (html: string, plain: string) =>
    area.evaluate(
      (element, { html, plain }) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', html);
        clipboardData.setData('text/plain', plain);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      { html, plain },
    );
  const lost = ['without network', 'on a line that fails'];
  for (const way of lost) {
    const script = '**/paste-plugin-*.js*';
    if (way === lost[0]) await page.context().setOffline(true);
    else await page.route(script, (route) => route.abort());
    await paste('<h2>Perdu</h2>', `Gardé ${way}. `);
    await readToast(page, 'le texte seul a été collé', 'warning');
    t.equal(await area.getByText(`Gardé ${way}.`).count(), 1);
    await page.context().setOffline(false);
    await page.unroute(script);
  }
  t.equal(await area.locator('h2').count(), 0);
  await paste('<p class="MsoNormal"><span style="font-weight:700;color:#c00000">Vif</span></p>', 'Vif');
  await area.locator('strong .color-red, .color-red strong', { hasText: 'Vif' }).waitFor();
});

t.test('an address pasted over selected words makes them a link', { buffered: true }, async (t) => {
  const { page, area, stored } = await desk(t, '<p>Voir le cours</p>');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const pasteOver = async (address: string, keys: string) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), address);
    await area.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Shift+ArrowLeft');
    await page.waitForFunction(() => getSelection()?.toString() === 'cours');
    await page.keyboard.press(keys);
  };
  await pasteOver('https://exemple.cm/cours', 'ControlOrMeta+v');
  t.match(await stored(), '<p>Voir le <a href="https://exemple.cm/cours">cours</a></p>');
  await pasteOver('https://exemple.cm/autre', 'ControlOrMeta+Shift+v');
  t.match(await stored(), /https:\/\/exemple.cm\/autre<\/(?:a|p)>/, 'an address pasted as text replaces the selected words');
});

t.test('before a dialog or menu is opened the page fetches few scripts', { buffered: true }, async (t) => {
  const { page } = await desk(t, '<p>Une <span class="formula" data-latex="x"><math><mi>x</mi></math></span>.</p>');
  await page.keyboard.type('Des mots, une **liste** : ');
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => ({ name: new URL(entry.name).pathname, bytes: (entry as PerformanceResourceTiming).encodedBodySize })),
  );
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
  t.ok(bytes > 100_000 && bytes <= 170_000, `${bytes} bytes of compressed script: ${JSON.stringify(scripts)}`);
  for (const part of ['worker', 'highlighter', 'code-tools', 'EditorDialog', 'paste-plugin', 'editing', 'slash'])
    t.notOk(
      scripts.some(({ name }) => name.includes(part)),
      `without ${part}`,
    );
});

t.test('on a phone: one row of tools that stays visible', { buffered: true }, async (t) => {
  const { page, area } = await desk(t, '<p>Une ligne.</p>'.repeat(40), 360);
  const row = page.getByRole('toolbar', { name: 'Mise en forme' });
  const box = await row.boundingBox();
  t.ok(box && box.height <= 60, 'the toolbar has one row');
  const small = await row
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => Math.min(...[button.getBoundingClientRect()].flatMap(({ width, height }) => [width, height])) < 44)
        .map((button) => button.ariaLabel),
    );
  t.same(small, [], 'each button is at least 44 px wide and high');
  await area.locator('p').last().scrollIntoViewIfNeeded();
  t.equal((await row.boundingBox())?.y, 0, 'the toolbar stays visible at the end of a long text');
  await row.getByRole('button', { name: /^Style du paragraphe/ }).tap();
  const menu = await page.getByRole('menu').boundingBox();
  t.ok(menu && menu.x >= 0 && menu.x + menu.width <= 360, 'the menu is within the screen');
  await page.getByRole('menuitemradio', { name: 'Titre 2' }).tap();
  await area.locator('h2').waitFor();
  // With little space below, the menu must be neither cut off nor covered by the save bar.
  await area.evaluate(({ parentElement: frame }) => scrollBy(0, (frame?.getBoundingClientRect().top ?? 0) - 400));
  await row.getByRole('button', { name: 'Couleur du texte' }).tap();
  const isSeen = (list: Element) => {
    const { left, top, bottom } = list.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight && [top + 5, bottom - 5].every((y) => list.contains(document.elementFromPoint(left + 20, y)));
  };
  t.ok(await page.getByRole('menu').evaluate(isSeen), 'a long menu is completely visible');
  await page.keyboard.press('Escape');
  await assertAccessible(t, page);
});

t.test('code is marked up again 1000 ms after a change, not before (specification §9)', { buffered: true }, async (t) => {
  const page = await site.page(t, { width: 1280, fresh: true });
  const discipline = await createDiscipline(site);
  const contenu = '<pre><code class="language-python">x = 1</code></pre>';
  const { id } = await createItem(site, discipline.id, { titre: 'Boucles', contenu });
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  const code = editor(page, 'Contenu').locator('pre code');
  await code.locator('.hljs-number').waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await code.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' if x');
  await page.clock.runFor(900);
  t.equal(await code.locator('.hljs-keyword').count(), 0);
  await page.clock.runFor(200);
  await code.locator('.hljs-keyword').waitFor();
});
