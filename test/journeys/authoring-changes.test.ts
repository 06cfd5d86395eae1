import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite, until } from '../support/journey.ts';

// What a save of a long text sends: the blocks that changed, or the whole text where the server has another one.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const formula = '<span class="formula" data-latex="u_n">u</span>';
const paragraph = (index: number) =>
  `<p>Paragraphe ${index} : soit ${formula} une suite réelle, croissante et majorée ; elle converge.</p>`;
const long = Array.from({ length: 200 }, (_, index) => paragraph(index)).join('');

interface Sent {
  url: string;
  bytes: number;
  received: number;
  status: number;
}

/** Opens a long lesson. Returns its page, and the saves that the page sends. */
async function open(t: Test) {
  const { id: disciplineId } = await createDiscipline(site);
  const { id } = await createItem(site, disciplineId, { titre: 'Les suites', contenu: long });
  const page = await site.page(t, { width: 1280, fresh: true, allow: [/status of 409/] });
  await openScreen(page, site, administrator, disciplineId, `?type=course&item=${id}`);
  await editor(page, 'Contenu').waitFor();
  const sent: Sent[] = [];
  page.on('response', async (response) => {
    const request = response.request();
    if (request.method() !== 'PUT') return;
    const received = (await response.body().catch(() => Buffer.alloc(0))).length;
    sent.push({
      url: new URL(request.url()).pathname,
      bytes: (request.postDataBuffer() ?? '').length,
      received,
      status: response.status(),
    });
  });
  const stored = async (table: 'item' | 'item_draft') =>
    (await site.rows<{ contenu: string }>(`select contenu from ${table} where id = $1`, [id]))[0]?.contenu ?? '';
  return { page, id, sent, stored };
}

async function write(page: Page, place: number, word: string): Promise<void> {
  await editor(page, 'Contenu').locator('p').nth(place).click();
  await page.keyboard.press('End');
  await page.keyboard.type(word);
}

t.test('a save of one word, and a draft of one word, send and receive less than 3 KB', async (t) => {
  const { page, sent, stored } = await open(t);
  for (const [step, word] of ['premier', 'second'].entries()) {
    await write(page, 2 + step, ` ${word}`);
    await page.keyboard.press('Control+s');
    await readToast(page, 'Leçon mise à jour avec succès');
    t.ok((await stored('item')).includes(`converge. ${word}</p>`));
  }
  for (const word of [' troisième', ' quatrième']) {
    await write(page, 5, word);
    await button(page, 'Brouillon').filter({ visible: true }).click();
    await button(page.getByRole('dialog'), 'Garder en brouillon').click();
    await readToast(page, 'Brouillon gardé sur le serveur');
  }
  t.ok((await stored('item_draft')).includes('troisième quatrième</p>'));
  // The bodies of responses are read after them.
  await until(async () => sent.length >= 4);
  t.equal(sent.length, 4);
  for (const { url, bytes, received, status } of sent) {
    t.equal(status, 200, url);
    t.ok(bytes < 3_000 && received < 3_000, `${url}: ${bytes} bytes sent, ${received} received`);
  }
  t.ok(long.length > 20_000);
});

t.test('where the server has another text of that version, the page sends the whole text by itself', async (t) => {
  const { page, id, sent, stored } = await open(t);
  await site.rows('update item set contenu = $2 where id = $1', [id, long.replace('Paragraphe 7 ', 'Autre 7 ')]);
  await write(page, 2, ' mot');
  await page.keyboard.press('Control+s');
  await readToast(page, 'Leçon mise à jour avec succès');
  t.same(
    sent.map(({ status }) => status),
    [409, 200],
  );
  t.ok((sent[1]?.bytes ?? 0) > 20_000);
  t.ok((await stored('item')).includes('converge. mot</p>'));
  t.ok((await stored('item')).includes('Paragraphe 7 '));
});
