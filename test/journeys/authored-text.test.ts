import t from 'tap';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { backgroundColors, textColors } from '../../src/shared/rich-text/palette.ts';
import { allowErrors } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { forgivingHtml } from '../support/forgiving-html.ts';
import { presentSession, shareSite } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';

// A text with every feature of the editor, as learners see it.

const site = await shareSite(t);
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const learner = await createLearner(site);
await createEnrolment(site, learner, prepa);

const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, marks });
const paragraph = (attrs: object, ...content: object[]) => ({ type: 'paragraph', attrs, content });
const cell = (value: string, width: number | null) => ({ type: 'table_cell', attrs: { width }, content: [paragraph({}, text(value))] });
const long = 'Une phrase assez longue pour aller à la ligne sur un téléphone, et encore une fois. ';

const everything = documentFromJson({
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2, align: 'center' }, content: [text('Un titre au milieu')] },
    // Every text colour on every background colour.
    ...textColors.map(({ name, label }) =>
      paragraph(
        {},
        text(`${label} `, { type: 'text_color', attrs: { color: name } }),
        ...backgroundColors.map((background) =>
          text(
            `${label} sur ${background.label.toLowerCase()} `,
            { type: 'text_color', attrs: { color: name } },
            { type: 'background_color', attrs: { color: background.name } },
          ),
        ),
      ),
    ),
    paragraph({ align: 'right' }, text(long)),
    paragraph({ align: 'justify' }, text(long.repeat(2))),
    ...[1, 4, 8].map((indent) => paragraph({ indent }, text(`En retrait de ${indent}. ${long}`))),
    paragraph({ dir: 'rtl' }, text('النص العربي من اليمين إلى اليسار')),
    { type: 'bullet_list', attrs: { dir: 'rtl' }, content: [{ type: 'list_item', content: [paragraph({ dir: 'rtl' }, text('قائمة'))] }] },
    {
      type: 'table',
      content: [{ type: 'table_row', content: [cell('trente', 30), cell('soixante-dix', 70)] }],
    },
    {
      type: 'code_block',
      attrs: { language: 'python' },
      content: [text('# Somme\ndef somme(n):\n    return sum(range(n + 1)) if n >= 0 else "non"\n')],
    },
    { type: 'video', attrs: { src: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', title: 'Les suites' } },
    { type: 'video', attrs: { src: 'https://exemple.cm/cours/limites.mp4', title: '' } },
  ],
});
const lesson = await createItem(site, discipline.id, { titre: 'Tout à la fois', contenu: forgivingHtml(everything) });
await site.rows('insert into item_document (item_id, nom, file, octets, created_at) values ($1, $2, $3, $4, now())', [
  lesson.id,
  "Résumé du chapitre d'analyse",
  'un.pdf',
  1_258_291,
]);
const path = `/user/prepa/${prepa.id}/${discipline.id}`;

lookAt(t, site)('an authored text', { as: learner }, at(path));

t.test('a video loads only on request', async (t) => {
  const page = await site.page(t, { width: 360 });
  await presentSession(page, site, learner);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).hostname));
  await page.goto(path, { waitUntil: 'networkidle' });
  t.same([...new Set(asked)], [new URL(site.url).hostname], 'no request to the video host before the click');

  allowErrors(page, /ERR_NAME_NOT_RESOLVED/);
  await page.getByRole('link', { name: 'Vidéo YouTube : Les suites' }).click();
  const player = page.locator('.video iframe');
  t.equal(await player.getAttribute('src'), 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ');
  t.equal(await player.getAttribute('title'), 'Vidéo YouTube\u00a0: Les suites');
  await page.getByRole('link', { name: 'Vidéo', exact: true }).click();
  t.equal(await page.locator('.video video').getAttribute('src'), 'https://exemple.cm/cours/limites.mp4');
  t.ok(asked.includes('www.youtube-nocookie.com'), 'the content security policy allows the player');
});

t.test('without script a video is a link, and documents show their size', async (t) => {
  const page = await site.page(t, { width: 360, javaScript: false });
  await presentSession(page, site, learner);
  await page.goto(path);
  const link = page.getByRole('link', { name: 'Vidéo YouTube : Les suites' });
  t.equal(await link.getAttribute('href'), 'https://www.youtube.com/watch?v=dQw4w9WgXcQ');
  const document = page.locator('.documents a');
  t.equal(await document.innerText(), "Résumé du chapitre d'analyse\nPDF, 1,2 Mo");
});
