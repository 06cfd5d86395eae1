import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { editor, openScreen, readToast } from '../support/authoring.ts';
import { allowErrors } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createEnrolment, createItem, createLearner } from '../support/factories.ts';
import { presentSession, shareSite } from '../support/journey.ts';
import { picture } from '../support/multipart.ts';

// Pictures of other sites in pasted HTML: stored where CORS lets the page read them, reported where not.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const image = await picture('#0274d9', 1600, 400);
/** Another site, whose files below /ouvert/ allow cross-origin reads. */
const other = createServer((request, response) => {
  const headers = { 'content-type': 'image/webp', ...(request.url?.startsWith('/ouvert/') && { 'access-control-allow-origin': '*' }) };
  response.writeHead(200, headers).end(image);
});
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
t.teardown(() => other.close());
const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

t.test('a pasted picture of another site is stored if CORS allows it, else reported at paste, at save and offline', async (t) => {
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Suites' });
  const page = await site.page(t, { width: 1280, fresh: true });
  allowErrors(page, /CORS policy/, /ERR_FAILED/, /inline style/);
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  const area = editor(page, 'Contenu');
  await area.click();
  await page.keyboard.press('ControlOrMeta+a');
  const paste = (html: string) =>
    area.evaluate((element, html) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', html);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, html);
  await paste(
    `<p>Avant</p><p><img src="${elsewhere}/ouvert/a.webp" alt="Une courbe"></p><p><img src="${elsewhere}/ferme/b.webp" alt="Un plan"></p><p>Après</p>`,
  );
  await readToast(page, 'Une image reste sur un autre site', 'warning');
  await area.locator('img[alt="Une courbe"][src^="/media/"]').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await readToast(page, 'Leçon mise à jour avec succès');
  await page.getByText('Une image reste sur un autre site', { exact: false }).first().waitFor();
  const [row] = await site.rows<{ contenu: string }>('select contenu from item where id = $1', [id]);
  t.match(row?.contenu, /<img src="\/media\/content\/[0-9a-f]{32}\.webp" alt="Une courbe" width="1200" height="300"/);
  t.match(row?.contenu, `<img src="${elsewhere}/ferme/b.webp" alt="Un plan"`);

  const learner = await createLearner(site);
  await createEnrolment(site, learner, { id: discipline.prepaId, nom: 'Concours' });
  const reader = await site.page(t, { width: 360, fresh: true });
  await presentSession(reader, site, learner);
  await reader.goto(`/user/prepa/${discipline.prepaId}/hors-ligne`);
  await reader.getByText("1 image d'un autre site ne peut pas être gardée", { exact: false }).waitFor();
});
