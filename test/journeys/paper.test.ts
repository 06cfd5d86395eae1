import t, { type Test } from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { button, openScreen } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';
import { assertNoOverflow, assertTargets } from '../support/page-checks.ts';
import { choiceQuestion, numberQuestion, textQuestion } from '../support/questions.ts';

// The questions of an item as a printed paper, from the screen of its discipline.

const site = await shareSite(t);
const administrator = await createAdministrator(site);

for (const width of [360, 1280]) {
  t.test(`an item's questions: from its screen to the paper, at ${width} px`, { buffered: true }, async (t: Test) => {
    const { id: discipline } = await createDiscipline(site);
    const ids = (name: string) => `${name}${width}`.padEnd(12, '0');
    const lesson = await createItem(site, discipline, {
      titre: 'Les suites',
      contenu: [
        choiceQuestion({
          id: ids('a'),
          statement: 'Quels nombres sont pairs ?',
          choices: ['2', '3', '4', 'le double de 7'].map((text, index) => ({ id: ids(`c${index}x`), text, right: index !== 1 })),
          several: true,
          points: 2,
        }),
        numberQuestion(ids('b'), '9,81', { tolerance: '0,01', unit: 'm/s²' }),
        textQuestion(ids('d'), ['Yaoundé']),
      ].join(''),
    });
    const page = await site.page(t, { width });
    await openScreen(page, site, administrator, discipline, `?type=course&item=${lesson.id}`);
    await page.getByRole('link', { name: 'Imprimer ou exporter ses questions' }).click();
    await page.getByRole('heading', { name: 'Corrigé' }).waitFor();
    await button(page, 'Imprimer').waitFor();
    await assertAccessible(t, page);
    await assertNoOverflow(t, page);
    if (width === 360) await assertTargets(t, page);
    await page.emulateMedia({ media: 'print' });
    t.equal(await page.getByRole('link', { name: 'GIFT' }).isVisible(), false, 'paper has no links to files');
    const printed = (await page.pdf()).toString('latin1');
    t.equal(printed.match(/\/Type\s*\/Page[^s]/g)?.length, 3, 'statements, answers and key are on pages of their own');
    await page.emulateMedia({ media: null });
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Moodle XML' }).click()]);
    t.equal(download.suggestedFilename(), 'Les suites.xml');
  });
}
