import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { presentSections } from './administrator.presenter.ts';

const { app } = await createTestApp(t);
const current = (url: string) =>
  presentSections(app.administrationMenu, url)
    .filter((section) => section.current)
    .map((section) => `${section.name}: ${section.current}`);

t.test('the menu marks the open page and its section', async (t) => {
  t.same(current('/admin/dashboard?prepa=3'), ['Préparations: page']);
  t.same(current('/admin/discipline/7'), ['Préparations: true']);
  t.same(current('/admin/administrateurs/5/desactiver'), ['Administrateurs: true']);
  t.same(current('/admin/cles'), ['Clés: page']);
  t.same(current('/admin/journal?avant=50'), ['Journal: page']);
  t.same(current('/admin/inscription'), []);
});
