import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, field, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createEnrolment, createLearner, createPrepa } from '../support/factories.ts';
import { presentSession, shareSite } from '../support/journey.ts';
import { picture } from '../support/multipart.ts';

// Builds a discipline with every tool of the toolbar and reads it as a learner, with and without JavaScript: the learner's DOM is equal to
// the editor's, except for the differences that `normalised` lists.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const learner = await createLearner(site);
await createEnrolment(site, learner, prepa);

const tool = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('toolbar').getByRole('button', { name, exact: true }).filter({ visible: true });

async function choose(page: Page, menu: string | RegExp, entry: string): Promise<void> {
  await tool(page, menu).click();
  await page.getByRole('menuitemradio', { name: entry, exact: true }).click();
}

/** Types the words with the tool switched on, then switches it off. */
async function marked(page: Page, name: string, words: string): Promise<void> {
  await tool(page, name).click();
  await page.keyboard.insertText(words);
  await tool(page, name).click();
  await page.keyboard.insertText(' ');
}

/** Runs a tool several times: first by its button, then by its shortcut, which is faster. */
async function pressed(page: Page, name: string, keys: string, times: number): Promise<void> {
  await tool(page, name).click();
  for (let time = 1; time < times; time += 1) await page.keyboard.press(keys);
}

/** Fills in the open dialog and submits it. */
async function answer(page: Page, values: Record<string, string>, submit = 'Insérer'): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label, { exact: true }).fill(value);
  await button(dialog, submit).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Starts a new paragraph without formatting at the end. */
async function nextParagraph(page: Page): Promise<void> {
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
}

async function writeEverything(page: Page): Promise<void> {
  const keys = page.keyboard;
  for (const level of [1, 2, 3, 4, 5, 6]) {
    await choose(page, /^Style du paragraphe/, `Titre ${level}`);
    await keys.insertText(`Un titre de niveau ${level}`);
    await keys.press('Enter');
  }
  for (const name of ['Gras', 'Italique', 'Souligné', 'Barré', 'Indice', 'Exposant', 'Code dans la ligne']) await marked(page, name, name);
  await choose(page, 'Couleur du texte', 'Rouge');
  await keys.insertText('rouge');
  await choose(page, 'Couleur de fond', 'Jaune');
  await keys.insertText(' sur jaune');
  await choose(page, 'Couleur du texte', 'Aucune');
  await choose(page, 'Couleur de fond', 'Aucune');
  await keys.insertText(' puis rien, ');
  await tool(page, 'Lien').click();
  await answer(page, { Adresse: 'https://www.exemple.cm/cours?a=1&b=2', 'Texte du lien': 'un lien' });
  await keys.insertText(' et ');
  await tool(page, 'Formule').click();
  await answer(page, { 'Formule en LaTeX': 'u_n < \\frac{1}{n}' });

  await nextParagraph(page);
  await tool(page, 'Citation').click();
  await keys.insertText('Une citation.');
  await keys.press('Enter');
  await keys.press('Enter');
  await tool(page, 'Bloc de code').click();
  await page.getByLabel('Langage du code').selectOption('python');
  await keys.type('def f(n):\nreturn "é" if n < 1 else n');
  await keys.press('Control+Enter');

  await tool(page, 'Liste à puces').click();
  await keys.insertText('Un');
  await keys.press('Enter');
  await tool(page, 'Augmenter le retrait').click();
  await keys.insertText('Plus profond');
  await keys.press('Enter');
  await tool(page, 'Diminuer le retrait').click();
  await keys.insertText('Deux');
  await keys.press('Enter');
  await keys.press('Enter');
  await tool(page, 'Liste numérotée').click();
  await keys.insertText('Trois');
  await tool(page, 'Numérotation de la liste').click();
  await answer(page, { 'Numéro du premier élément': '3' }, 'Appliquer');
  await keys.press('Enter');
  await keys.press('Enter');

  for (const [name, words] of [
    ['Centrer', 'Au milieu'],
    ['Aligner à droite', 'À droite'],
    ['Justifier', 'Des deux côtés'],
    ['Aligner à gauche', 'À gauche'],
  ] as const) {
    await tool(page, name).click();
    await keys.insertText(words);
    await keys.press('Enter');
  }
  await pressed(page, 'Augmenter le retrait', 'Alt+Shift+ArrowRight', 8);
  await keys.insertText('En retrait de huit');
  await keys.press('Enter');
  await pressed(page, 'Diminuer le retrait', 'Alt+Shift+ArrowLeft', 8);
  await tool(page, 'De droite à gauche').click();
  await keys.insertText('من اليمين');
  await keys.press('Enter');
  await tool(page, 'De droite à gauche').click();

  await tool(page, 'Gras').click();
  await keys.insertText('Plus rien de gras');
  await keys.press('Shift+Home');
  await tool(page, 'Effacer la mise en forme').click();
  await keys.press('End');
  await keys.insertText('Une faute');
  await tool(page, 'Annuler').click();
  await tool(page, 'Rétablir').click();
  await keys.press('Enter');

  await tool(page, 'Ligne de séparation').click();
  await tool(page, 'Image').click();
  await page.getByLabel('Fichier', { exact: true }).setInputFiles({ name: 'figure.png', mimeType: 'image/png', buffer: await picture() });
  await page.getByRole('img', { name: 'Aperçu' }).waitFor();
  await answer(page, { 'Texte de remplacement': 'Un carré "plein"', Légende: 'La figure 1' });
  await nextParagraph(page);
  await tool(page, 'Vidéo').click();
  await answer(page, { 'Adresse de la vidéo': 'https://youtu.be/dQw4w9WgXcQ?t=30', Titre: 'Les suites' });
  await nextParagraph(page);
  await tool(page, 'Formule').click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Sur sa propre ligne/)
    .check();
  await answer(page, { 'Formule en LaTeX': '\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}' });
  await nextParagraph(page);
  await tool(page, 'Tableau').click();
  await answer(page, { Lignes: '2', Colonnes: '2' });
  for (const cell of ['n', 'Valeur', '1', '0,5']) {
    await keys.insertText(cell);
    if (cell !== '0,5') await keys.press('Tab');
  }
  await tool(page, 'Insérer une ligne au-dessous').click();
  await choose(page, 'Largeur de la colonne', '70 %');
}

/**
 * Returns a text's markup in a comparable form. Differences between the editor and the page are removed or unified:
 * 1. ProseMirror's additions for the cursor: breaks at the end of a line, separators, widgets, `contenteditable`, `draggable`, its classes
 * 2. the editor's box and language selector around code
 * 3. the spans of highlighted code, on both sides
 * 4. a video's card: only the video and its title count
 * 5. the paragraph tags that canonical HTML omits in list items and cells
 * 6. the scroll container of a table, `thead` and `tbody`, `scope` of headers
 * 7. image loading (`loading`, `decoding`), and an empty caption
 * 8. scrolling and name of a displayed formula (`tabindex`, `role`, `aria-label`), and a formula's LaTeX, which the editor stores elsewhere
 * 9. `rel` and `title` of links
 */
function normalised(root: Element): string {
  const copy = root.cloneNode(true) as Element;
  const all = (selector: string) => [...copy.querySelectorAll(selector)];
  const unwrap = (element: Element) => element.replaceWith(...element.childNodes);
  for (const element of all('.ProseMirror-trailingBreak, .ProseMirror-separator, .ProseMirror-widget, .editor__language')) element.remove();
  for (const element of all('.editor__code, .table-scroll, thead, tbody, pre span')) unwrap(element);
  for (const element of all('.video')) {
    const link = element.querySelector('a');
    element.replaceChildren(link?.textContent ?? '');
    for (const { name } of [...element.attributes]) if (name !== 'class') element.removeAttribute(name);
  }
  for (const element of all('figcaption')) if (!element.hasChildNodes()) element.remove();
  for (const element of all('li, td, th')) {
    const blocks = 'P UL OL PRE BLOCKQUOTE TABLE FIGURE DIV HR H1 H2 H3 H4 H5 H6'.split(' ');
    const first = [...element.childNodes].findIndex((node) => blocks.includes(node.nodeName));
    const inline = [...element.childNodes].slice(0, first === -1 ? undefined : first);
    if (inline.length === 0 && first !== -1) continue;
    const paragraph = document.createElement('p');
    paragraph.append(...inline);
    element.prepend(paragraph);
  }
  const ours = new Set(
    'contenteditable draggable loading decoding tabindex role aria-label scope rel title data-latex spellcheck'.split(' '),
  );
  for (const element of all('*')) {
    for (const { name } of [...element.attributes]) if (ours.has(name)) element.removeAttribute(name);
    element.classList.remove('ProseMirror-selectednode', 'hljs');
    for (const name of [...element.classList])
      if (name.startsWith('editor__') || name.startsWith('ProseMirror')) element.classList.remove(name);
    if (element.getAttribute('class') === '') element.removeAttribute('class');
    const sorted = [...element.attributes].sort((one, other) => one.name.localeCompare(other.name));
    for (const { name } of sorted) element.removeAttribute(name);
    for (const { name, value } of sorted) element.setAttribute(name, value);
  }
  copy.normalize();
  return copy.innerHTML.replaceAll('><', '>\n<');
}

const says = (place: Locator): Promise<string> => place.evaluate(normalised);

interface Written {
  address: string;
  /** Stored HTML by the name of the text. */
  texts: Record<string, string>;
}

interface Writing {
  type: 'course' | 'exercise' | 'pastExam';
  /** Name of the tab. */
  tab: string;
  create: string;
  fields: string[];
  saved: string;
}

const lesson: Writing = {
  type: 'course',
  tab: 'Leçons',
  create: 'Nouvelle Leçon',
  fields: ['Contenu'],
  saved: 'Leçon mise à jour avec succès',
};
const exercise: Writing = {
  type: 'exercise',
  tab: 'Exercices',
  create: 'Nouvel Exercice',
  fields: ['Énoncé', 'Corrigé'],
  saved: 'Exercice mis à jour avec succès',
};
const pastExam: Writing = {
  type: 'pastExam',
  tab: 'Anciens Sujets',
  create: 'Nouvel Ancien Sujet',
  fields: ['Contenu', 'Corrigé'],
  saved: 'Ancien sujet mis à jour avec succès',
};

/** Creates the items and writes their texts: with every tool in a lesson, with some in the others. */
async function writeItems(t: Test, writings: Writing[]): Promise<Written[]> {
  const page = await site.page(t, { width: 1280 });
  await openScreen(page, site, administrator, discipline.id);
  const written: Written[] = [];
  for (const { type, tab, create, fields, saved } of writings) {
    await page.getByRole('tab', { name: tab }).click();
    await button(page, create).click();
    await field(page.getByRole('dialog'), 'Titre').fill('Tout ce que la barre offre');
    await button(page.getByRole('dialog'), 'Créer').click();
    const texts: Record<string, string> = {};
    for (const name of fields) {
      if (fields.length > 1) await page.getByRole('tab', { name, exact: true }).click();
      await editor(page, name).click();
      if (type === 'course') await writeEverything(page);
      else {
        await marked(page, 'Gras', `${name}.`);
        await tool(page, 'Formule').click();
        await answer(page, { 'Formule en LaTeX': 'x^2' });
      }
      await editor(page, name).locator('math').first().waitFor();
      texts[name] = await says(editor(page, name));
    }
    await button(page, 'Enregistrer').click();
    await readToast(page, saved);
    const id = new URL(page.url()).searchParams.get('item');
    written.push({ address: `/user/prepa/${prepa.id}/${discipline.id}?type=${type}&item=${id}`, texts });
  }
  return written;
}

t.test('learners read the text as the toolbar has written it', async (t) => {
  // The lesson takes as long as the two others together, so they run concurrently.
  const written = (await Promise.all([writeItems(t, [lesson]), writeItems(t, [exercise, pastExam])])).flat();
  const [everything] = written;
  // Checks the stored text first: two equal, empty texts would also pass.
  for (const part of [
    ...[1, 2, 3, 4, 5, 6].map((level) => `<h${level}>Un titre de niveau ${level}</h${level}>`),
    '<strong>Gras</strong>',
    '<em>Italique</em>',
    '<u>Souligné</u>',
    '<s>Barré</s>',
    '<sub>Indice</sub>',
    '<sup>Exposant</sup>',
    '<code>Code dans la ligne</code>',
    '<span class="color-red">rouge',
    '<span class="bg-yellow"> sur jaune',
    '<a href="https://www.exemple.cm/cours?a=1&amp;b=2">un lien</a>',
    '<blockquote>\n<p>Une citation.</p>\n</blockquote>',
    'class="language-python"',
    '<ul>\n<li>\n<p>Un</p>\n<ul>\n<li>\n<p>Plus profond</p>\n</li>\n</ul>\n</li>\n<li>\n<p>Deux</p>\n</li>\n</ul>',
    '<ol start="3">\n<li>\n<p>Trois</p>',
    '<p class="align-center">Au milieu</p>',
    '<p class="align-right">À droite</p>',
    '<p class="align-justify">Des deux côtés</p>',
    '<p>À gauche</p>',
    '<p class="indent-8">En retrait de huit</p>',
    '<p dir="rtl">من اليمين</p>',
    '<p>Plus rien de grasUne faute</p>',
    '<hr>',
    'alt="Un carré &quot;plein&quot;" height="36" src="/media/content/',
    '<figcaption>La figure 1</figcaption>',
    'Vidéo YouTube : Les suites',
    'class="formula-block"',
    'class="w-70"',
  ])
    t.ok(everything?.texts.Contenu?.includes(part), `the editor holds ${part}`);

  const read = async (javaScript: boolean) => {
    const reader = await site.page(t, { width: 360, javaScript });
    await presentSession(reader, site, learner);
    for (const { address, texts } of written) {
      await reader.goto(address);
      const [content, correction] = Object.entries(texts);
      const [name, expected] = content ?? ['', ''];
      // The page adds non-breaking spaces before French punctuation, links to figures, and signatures to the URLs of pictures.
      t.equal(
        (await says(reader.locator('.prose').first()))
          .replaceAll('&nbsp;:', ' :')
          .replaceAll(/<a href="\/media\/[^\n]*>\n(<img [^\n]*)\n<\/a>/g, '$1')
          .replaceAll(/(src="\/media\/content\/\w+\.webp)\?acces=[\w.-]+"/g, '$1"'),
        expected,
        `${name}, ${javaScript ? 'with' : 'without'} JavaScript`,
      );
      if (correction) t.equal(await says(reader.locator('.correction .prose')), correction[1], correction[0]);
    }
  };
  await Promise.all([read(true), read(false)]);
});
