import t from 'tap';
import { withPlan } from './plan.ts';

const parts = (level: number, ...titles: string[]) => titles.map((title) => `<h${level}>${title}</h${level}><p>Texte</p>`).join('');

/** Returns the plan's links as [href, HTML of the label]. */
const linksOf = (html: string) => Array.from(html.matchAll(/<li><a href="#([^"]+)">(.*?)<\/a><\/li>/g), ([, href, label]) => [href, label]);

t.test('a plan links to each heading of its level', async (t) => {
  const html = withPlan(`<p>Avant</p>${parts(2, 'Définition', 'Les <em>trois</em> lois', 'À retenir')}`);
  t.same(linksOf(html), [
    ['partie-1', 'Définition'],
    ['partie-2', 'Les <em>trois</em> lois'],
    ['partie-3', 'À retenir'],
  ]);
  for (const [id = '', label = ''] of linksOf(html)) t.match(html, `<h2 id="${id}">${label}</h2>`);
  t.match(html, /^<details.*<\/nav><p>Avant<\/p>/s, 'the plan stands before the text');
});

t.test('the plan has the highest level with three headings', async (t) => {
  for (const [why, html, expected] of [
    ['one title, then parts', parts(1, 'La leçon') + parts(2, 'A', 'B', 'C') + parts(3, 'a', 'b', 'c', 'd'), 3],
    ['parts and their sections', parts(2, 'A') + parts(3, 'a', 'b') + parts(2, 'B', 'C') + parts(3, 'c'), 3],
    ['two parts with sections', parts(2, 'A', 'B') + parts(3, 'a', 'b', 'c', 'd'), 4],
    ['two headings', parts(2, 'A', 'B'), 0],
    ['none', '<p>Texte</p>', 0],
  ] as const) {
    t.equal(linksOf(withPlan(html)).length, expected, why);
    if (expected === 0) t.equal(withPlan(html), html, why);
  }
});

t.test('headings keep their attributes, and links and pictures of a heading are left out of the plan', async (t) => {
  const html = withPlan(
    `<h2 style="text-align:center">A</h2><h2>Voir <a href="/x">B</a></h2><h2><img src="/c.png" alt="C"></h2>${parts(2, 'D')}`,
  );
  t.match(html, '<h2 id="partie-1" style="text-align:center">A</h2>');
  t.same(linksOf(html), [
    ['partie-1', 'A'],
    ['partie-2', 'Voir B'],
    ['partie-3', 'D'],
  ]);
});
