import t from 'tap';
import { asStudied } from './as-studied.ts';

t.test('a figure is linked to its picture', async (t) => {
  const picture = '<img src="/media/a.webp?s=1&amp;f=2" alt="a > b" width="640" height="480" loading="lazy">';
  const text = `<p>Voir</p><figure>${picture}<figcaption>Courbe</figcaption></figure>`;
  const linked = `<p>Voir</p><figure><a href="/media/a.webp?s=1&amp;f=2" title="Agrandir la figure">${picture}</a><figcaption>Courbe</figcaption></figure>`;
  t.same(asStudied({ contenu: text, corrige: text }), { contenu: linked, corrige: linked });
  t.same(asStudied({ contenu: text, corrige: null }), { contenu: linked, corrige: null });
});

t.test('only the text has a plan, so that no two headings of a page have the same id', async (t) => {
  const text = '<h2>A</h2><h2>B</h2><h2>C</h2>';
  const { contenu, corrige } = asStudied({ contenu: text, corrige: text });
  t.match(contenu, '<h2 id="partie-1">A</h2>');
  t.equal(corrige, text);
});
