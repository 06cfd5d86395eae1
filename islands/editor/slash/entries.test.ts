import t from 'tap';
import { htmlOf, textOf } from '../../../test/support/editor-text.ts';
import type { DialogName } from '../commands/editor-host.ts';
import { toolbarGroups } from '../toolbar/toolbar.ts';
import { matching, slashEntries } from './entries.ts';

const opened: DialogName[] = [];
const host = { openDialog: (name: DialogName) => void opened.push(name), notify: () => {} };
const entries = slashEntries(toolbarGroups(host, { withImport: true, withQuestions: true }));
const found = (typed: string, html = '<p>|</p>'): string[] => matching(entries, typed, textOf(html)).map(({ label }) => label);

t.test('all blocks of the toolbar are offered, and each kind of question', async (t) => {
  const labels = found('');
  for (const label of ['Titre 1', 'Titre 6', 'Liste à puces', 'Formule', 'Tableau', 'Image', 'Vidéo', 'Citation', 'Bloc de code'])
    t.ok(labels.includes(label), label);
  t.equal(labels.filter((label) => label.startsWith('Question : ')).length, 4);
  const plain = slashEntries(toolbarGroups(host, { withImport: false, withQuestions: false })).map(({ label }) => label);
  t.notOk(
    plain.some((label) => /Question|Importer/.test(label)),
    'a text without questions and import offers neither',
  );
});

t.test('entries are found by the beginning of a word, without accents and capitals', async (t) => {
  t.same(found('vid'), ['Vidéo']);
  t.same(found('VIDÉ'), ['Vidéo']);
  t.same(found('equa'), ['Formule']);
  t.same(found('titre2'), ['Titre 2']);
  t.same(found('num').sort(), ['Liste numérotée', 'Question : nombre'].sort());
  t.same(found('etc'), [], 'no entry is found inside a word');
});

t.test('a question of a number has no choices', async (t) => {
  const insert = (id: string): string => {
    let html = '';
    const state = textOf('<p>|</p>');
    entries
      .find((entry) => entry.id === id)
      ?.run(state, (tr) => {
        tr.doc.check();
        html = htmlOf(state.apply(tr));
      });
    return html.replace(/ data-id="\w+"/, '');
  };
  t.equal(insert('question-number'), '<section class="question" data-kind="number"><header><p></p></header></section>');
  t.match(insert('question-several'), /data-kind="several"><header>.*<article>.*<article>/);
});
