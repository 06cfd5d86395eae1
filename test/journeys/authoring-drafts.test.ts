import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { button, editor, field, openItem, openScreen, readToast } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { presentAdministrator, shareSite, until } from '../support/journey.ts';
import { onlyLong } from '../support/long-form.ts';

// The tab crashes, the network fails or the session ends while text is being edited, in each kind of field: text typed more than 2 s before
// is not lost.

const site = await shareSite(t);
// Tests run concurrently, since they mostly wait for typing.
t.jobs = 6;
const administrator = await createAdministrator(site);
/** Age up to which typed text may be lost, in ms. */
const grace = 2_000;
/** Longer than `grace`, so that a draft must be saved during typing and not only in a pause, in ms. */
const typingMs = 2_600;

const kinds = [
  { kind: 'course', texts: ['Contenu'] },
  { kind: 'exercise', texts: ['Énoncé', 'Corrigé'] },
  { kind: 'pastExam', texts: ['Contenu', 'Corrigé'] },
] as const;
type Kind = (typeof kinds)[number]['kind'];

async function createOne(kind: Kind): Promise<{ id: number; disciplineId: number; search: string }> {
  const { id: disciplineId } = await createDiscipline(site);
  const corrige = kind === 'course' ? null : '<p>Corrigé.</p>';
  const { id } = await createItem(site, disciplineId, { kind, titre: 'Titre', contenu: '<p>Texte.</p>', corrige });
  return { id, disciplineId, search: `?type=${kind}&item=${id}` };
}

const openPage = async (t: Test) => site.page(t, { width: 1280, fresh: true, allow: [/status of 401|ERR_INTERNET_DISCONNECTED/] });

/** Puts the cursor at the end of a text, and shows its tab first; 'Titre' is the title field. */
async function enter(page: Page, name: string): Promise<void> {
  if (name === 'Titre') return field(page, 'Titre').focus();
  const tab = page.getByRole('tab', { name, exact: true });
  if ((await tab.count()) > 0) await tab.click();
  await editor(page, name).click();
  await page.keyboard.press('Control+End');
}

async function contents(page: Page, name: string): Promise<string> {
  if (name === 'Titre') return field(page, 'Titre').inputValue();
  const tab = page.getByRole('tab', { name, exact: true });
  if ((await tab.count()) > 0) await tab.click();
  return editor(page, name).innerText();
}

/** Kills the tab's process, like a crash. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}

for (const { kind, texts } of kinds) {
  for (const name of ['Titre', ...texts]) {
    if (kind !== 'course' && name === 'Titre') continue;
    // One field of each type; the long form tests each field. The network test below crashes the tab as well, for every kind of text.
    const skip = (kind === 'course' && name === 'Titre') || (kind === 'exercise' && name === 'Corrigé') ? false : onlyLong;
    t.test(`the tab crashes while ${name} of ${kind} is typed in`, { buffered: true, skip }, async (t) => {
      const { disciplineId, search } = await createOne(kind);
      const page = await openPage(t);
      await openScreen(page, site, administrator, disciplineId, search);
      await editor(page, texts[0]).waitFor();
      await enter(page, name);
      if (name === 'Titre') await page.keyboard.press('End');
      const typed: { word: string; at: number }[] = [];
      const begun = Date.now();
      // On a slow machine a word takes long: continue until one of the words is older than `grace`.
      const isLongEnough = () => Date.now() - begun >= typingMs && typed.some(({ at }) => at < Date.now() - grace);
      for (let number = 1; !isLongEnough(); number += 1) {
        const word = ` m${number}`;
        await page.keyboard.type(word, { delay: 60 });
        typed.push({ word, at: Date.now() });
      }
      const last = Date.now();
      await crash(page);

      const again = await page.context().newPage();
      await openScreen(again, site, administrator, disciplineId, search);
      await again.getByText(/^Un brouillon non enregistré de \d\d:\d\d est gardé sur cet appareil/).waitFor();
      await button(again, 'Reprendre le brouillon').click();
      const expected = typed.filter(({ at }) => at < last - grace).map(({ word }) => word);
      t.ok(expected.length > 0, 'at least one word is older than the draft interval');
      const kept = await contents(again, name);
      t.match(kept, new RegExp(`${name === 'Titre' ? 'Titre' : name === 'Corrigé' ? 'Corrigé\\.' : 'Texte\\.'}${expected.join('')}`));
      const [after = ''] = typed.map(({ word }) => word).filter((word) => !kept.includes(`${word} `) && !kept.endsWith(word));
      t.comment(`${name} of ${kind}: ${typed.length} words in ${last - begun} ms, first that is lost:${after}`);
    });
  }
}

for (const { kind, texts } of kinds) {
  const names = ['Titre', ...texts];

  t.test(
    `the network goes while ${names.join(', ')} of ${kind} are typed in`,
    { buffered: true, skip: kind === 'exercise' ? onlyLong : false },
    async (t) => {
      const { id, disciplineId, search } = await createOne(kind);
      const page = await openPage(t);
      await openScreen(page, site, administrator, disciplineId, search);
      await editor(page, texts[0]).waitFor();
      await page.context().setOffline(true);
      await typeInto(page, names);
      await page.getByText('Hors connexion : votre texte est gardé sur cet appareil').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText(/^Le serveur ne répond pas\. Votre texte est gardé sur cet appareil\./).waitFor();
      // The device stays offline and the tab crashes as well.
      await kept(page, names);
      await crash(page);
      await page.context().setOffline(false);
      const again = await page.context().newPage();
      await openScreen(again, site, administrator, disciplineId, search);
      await button(again, 'Reprendre le brouillon').click();
      await again.keyboard.press('Control+s');
      await again.getByText(/^Enregistré à/).waitFor();
      await assertStored(t, id, names);
      t.same(await draftsOn(again), [], 'a saved text leaves no draft');
    },
  );

  t.test(
    `the session ends while ${names.join(', ')} of ${kind} are typed in`,
    { buffered: true, skip: kind === 'exercise' ? false : onlyLong },
    async (t) => {
      const { id, disciplineId, search } = await createOne(kind);
      const administrator = await createAdministrator(site);
      const page = await openPage(t);
      await openScreen(page, site, administrator, disciplineId, search);
      await editor(page, texts[0]).waitFor();
      const sessions = await site.rows<Record<string, unknown>>(
        'delete from administrator_session where administrator_id = $1 returning *',
        [administrator.id],
      );
      await typeInto(page, names);
      await page.keyboard.press('Control+s');
      await page.getByRole('link', { name: 'Se reconnecter dans un nouvel onglet' }).waitFor();
      t.equal(await contents(page, texts[0]), `Texte. ${texts[0]} suite`, 'the editor keeps the text');
      // After signing in again in another tab, the text can be saved here.
      for (const session of sessions) {
        await site.rows(
          `insert into administrator_session (${Object.keys(session)}) values (${Object.keys(session).map((_, index) => `$${index + 1}`)})`,
          Object.values(session),
        );
      }
      await presentAdministrator(page, site, administrator);
      await button(page, 'Réessayer').click();
      await page.getByText(/^Enregistré à/).waitFor();
      await assertStored(t, id, names);
    },
  );
}

t.test('a draft in the creation dialog, a discarded draft, and a draft of a deleted item', { buffered: true }, async (t) => {
  const { id, disciplineId, search } = await createOne('course');
  const page = await openPage(t);
  await openScreen(page, site, administrator, disciplineId, search);
  await editor(page, 'Contenu').waitFor();
  await typeInto(page, ['Titre', 'Contenu']);
  await kept(page, ['Titre', 'Contenu']);
  await button(page, 'Nouvelle Leçon').click();
  await field(page.getByRole('dialog'), 'Titre').fill('Une idée');
  await until(async () => (await draftsOn(page)).some((draft) => draft.includes('Une idée')));
  await crash(page);

  const again = await page.context().newPage();
  await openScreen(again, site, administrator, disciplineId);
  await again.getByRole('listitem').getByText('modifié', { exact: true }).waitFor();
  await button(again, 'Nouvelle Leçon').click();
  await again.getByText('Ce que vous aviez commencé est repris ici.').waitFor();
  t.equal(await field(again.getByRole('dialog'), 'Titre').inputValue(), 'Une idée');
  await button(again.getByRole('dialog'), 'Annuler').click();
  await until(async () => (await draftsOn(again)).length === 1);

  // Leaving with unsaved text shows a confirmation; the text of a deleted item can still become a new item.
  await site.rows('delete from item where id = $1', [id]);
  await again.reload();
  await again.getByText(/^Brouillon non enregistré d'une leçon qui n'existe plus/).waitFor();
  await button(again, 'Créer de nouveau').click();
  await readToast(again, 'Nouvelle leçon créée avec succès');
  t.equal(await contents(again, 'Contenu'), 'Texte. Contenu suite');
  t.equal(await contents(again, 'Titre'), 'Titre suite');
  await until(async () => (await draftsOn(again)).length === 0);

  await typeInto(again, ['Contenu']);
  const asked = again.waitForEvent('dialog');
  again.close({ runBeforeUnload: true }).catch(() => {});
  t.equal((await asked).type(), 'beforeunload', 'closing the page asks for confirmation');
  await (await asked).dismiss();
  await kept(again, ['Contenu']);
  await crash(again);
  const last = await again.context().newPage();
  const [item] = await site.rows<{ id: number }>('select id from item where discipline_id = $1', [disciplineId]);
  await openScreen(last, site, administrator, disciplineId, `?type=course&item=${item?.id}`);
  await button(last, "L'abandonner").click();
  t.equal(await contents(last, 'Contenu'), 'Texte. Contenu suite');
  await until(async () => (await draftsOn(last)).length === 0);
});

t.test('without browser storage the page keeps the text, and leaving the page asks for confirmation', { buffered: true }, async (t) => {
  const { id, disciplineId, search } = await createOne('course');
  await createItem(site, disciplineId, { titre: 'Autre', contenu: '<p>Autre.</p>', numeroPage: 2 });
  const page = await openPage(t);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  await openScreen(page, site, administrator, disciplineId, search);
  await editor(page, 'Contenu').waitFor();
  await typeInto(page, ['Contenu']);
  await page.getByText(/: ce navigateur ne garde pas de brouillon, enregistrez souvent$/).waitFor();
  // After opening another item and coming back, the typed text is still there.
  await openItem(page, 'Leçon 2', 'Contenu');
  await editor(page, 'Contenu').getByText('Autre.').waitFor();
  await openItem(page, 'Leçon 1', 'Contenu');
  await editor(page, 'Contenu').getByText('Texte. Contenu suite').waitFor();
  await page.getByText(/: ce navigateur ne garde pas de brouillon/).waitFor();
  await page.context().setOffline(true);
  await page.keyboard.press('Control+s');
  await page.getByText(/^Le serveur ne répond pas\. Votre texte est gardé dans cette page seulement\./).waitFor();
  await page.context().setOffline(false);
  await page.keyboard.press('Control+s');
  await page.getByText(/^Enregistré à/).waitFor();
  t.same(await site.rows('select contenu from item where id = $1', [id]), [{ contenu: '<p>Texte. Contenu suite</p>' }]);

  await button(page, 'Nouvelle Leçon').click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Titre').fill('Une idée');
  await dialog.getByText(/^Ce navigateur ne garde pas de brouillon/).waitFor();
  const asked = page.waitForEvent('dialog');
  page.close({ runBeforeUnload: true }).catch(() => {});
  t.equal((await asked).type(), 'beforeunload', 'closing the page asks for confirmation');
  await (await asked).dismiss();
  await button(dialog, 'Créer').click();
  await readToast(page, 'Nouvelle leçon créée avec succès');
  await field(page, 'Titre').and(page.locator('[value="Une idée"]')).waitFor();
});

async function typeInto(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await enter(page, name);
    if (name === 'Titre') await page.keyboard.press('End');
    await page.keyboard.type(name === 'Titre' ? ' suite' : ` ${name} suite`);
  }
}

/** Waits until the device has stored the typed text; throws when this takes longer than `grace`. */
async function kept(page: Page, names: readonly string[]): Promise<void> {
  const begun = Date.now();
  const wanted = names.map((name) => (name === 'Titre' ? 'Titre suite' : `${name} suite`));
  await until(async () => (await draftsOn(page)).some((draft) => wanted.every((words) => draft.includes(words))));
  if (Date.now() - begun > grace) throw new Error(`draft stored only after ${Date.now() - begun} ms`);
}

/** Returns the drafts stored on this device, as JSON. */
function draftsOn(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('prepa-authoring');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
          reading.onsuccess = () => resolve(reading.result.map((draft) => JSON.stringify(draft)));
          reading.onerror = () => reject(reading.error);
        };
      }),
  );
}

async function assertStored(t: Test, id: number, names: readonly string[]): Promise<void> {
  const [row] = await site.rows<{ titre: string; contenu: string; corrige: string | null }>('select * from item where id = $1', [id]);
  t.equal(row?.titre, 'Titre suite');
  t.equal(row?.contenu, `<p>Texte. ${names[1]} suite</p>`);
  t.equal(row?.corrige, names[2] ? `<p>Corrigé. ${names[2]} suite</p>` : null);
}
