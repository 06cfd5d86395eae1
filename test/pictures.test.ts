import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createTestApp, visit } from './support/app.ts';
import { createEnrolment, createLearner, createPrepa } from './support/factories.ts';

const home = await createTestApp(t);
const folder = join(projectRoot, 'views/pictures');

t.test('pictures are small, decorative, of a set size, and leave their colours to the style sheet', async (t) => {
  const files = readdirSync(folder);
  t.same(files.toSorted(), ['ended.eta', 'no-network.eta', 'nothing-to-review.eta', 'success.eta']);
  for (const file of files) {
    const source = readFileSync(join(folder, file), 'utf8');
    const svg = parseHTML(source).document.querySelector('svg');
    t.ok(source.length <= 4 * 1024, file);
    t.same(
      ['aria-hidden', 'width', 'height'].map((name) => svg?.getAttribute(name)),
      ['true', '240', '135'],
      file,
    );
    t.equal(svg?.textContent?.trim(), '', `${file} has no text`);
    t.notMatch(source, /#[\da-f]{3}|style=/i, file);
  }
});

t.test('a picture is shown after a payment, without anything to review, and after an access', async (t) => {
  const [learner, former] = [await createLearner(home), await createLearner(home)];
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  await createEnrolment(home, former, prepa, -1);
  const pictures = async (url: string, session: string, within: string) =>
    parseHTML((await visit(home.app, url, session)).body).document.querySelectorAll(`${within} > .picture`).length;
  t.equal(await pictures(`/user/dashboard/success/${prepa.id}`, learner.session, '.notice--success'), 1);
  t.equal(await pictures('/user/a-revoir', learner.session, '.empty'), 1);
  t.equal(await pictures('/user/dashboard', former.session, '.current'), 1);
  t.equal(await pictures('/user/dashboard', learner.session, '.current'), 0, 'an open access has none');
});
