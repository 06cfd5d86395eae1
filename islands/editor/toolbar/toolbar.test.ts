import { AllSelection, type EditorState } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import t from 'tap';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { after, cellsOf, htmlOf, textOf } from '../../../test/support/editor-text.ts';
import type { DialogName } from '../commands/editor-host.ts';
import { overText } from '../commands/whole-text.ts';
import { questionGroups } from '../questions/tools.ts';
import { transformQuestions } from '../questions/written-questions.ts';
import { ariaKeys, shownKeys } from './shortcuts.ts';
import { tableGroups } from './table-tools.ts';
import { toolbarGroups } from './toolbar.ts';
import { readToolbar } from './toolbar-state.ts';

const opened: DialogName[] = [];
const host = { openDialog: (name: DialogName) => void opened.push(name), notify: () => {} };
const main = toolbarGroups(host, { withImport: true, withQuestions: true });
const question = questionGroups();
const table = tableGroups();
const items = [...main, ...question, ...table].flatMap((group) => group.items);
/** All items run by a click or a key. */
const actions = items.flatMap((item) => (item.kind === 'menu' ? item.items : [item]));
const read = (state: EditorState) => readToolbar(state, { main, question, table });

t.test('every item exists once, with a unique name and keys', async (t) => {
  const ids = items.map(({ id }) => id);
  const keys = actions.flatMap((action) => action.keys ?? []);
  t.same(ids, [...new Set(ids)]);
  t.same(keys, [...new Set(keys)]);
  t.ok(keys.length >= 20);
  for (const { id, label } of actions) t.match(label, /\S/, id);
});

t.test('every mark of the schema can be set', async (t) => {
  const given = new Set<string>();
  for (const { run } of actions) {
    run(textOf('<p>[texte]</p>'), (tr) => {
      tr.doc.descendants((node) => {
        for (const { type } of node.marks) given.add(type.name);
      });
    });
  }
  t.same(
    [...given].sort(),
    Object.keys(richTextSchema.marks)
      .filter((name) => name !== 'link')
      .sort(),
  );
});

t.test('every block of the schema can be created, here or in a dialog', async (t) => {
  const made = new Set<string>();
  opened.length = 0;
  for (const { run } of actions) {
    run(textOf('<p>[texte]</p>'), (tr) => {
      tr.doc.descendants((node) => {
        made.add(node.type.name);
      });
    });
  }
  t.same([...made].sort(), [
    'blockquote',
    'bullet_list',
    'code_block',
    'heading',
    'horizontal_rule',
    'list_item',
    'ordered_list',
    'paragraph',
    'question',
    'question_choice',
    'question_statement',
    'text',
  ]);
  t.same([...opened].sort(), ['find', 'formula', 'image', 'import', 'link', 'list-start', 'table', 'video']);
});

t.test('the toolbar shows the state of the selection', async (t) => {
  const plain = read(textOf('<p>|x</p>')).items;
  t.match(plain, {
    level: 'paragraph',
    strong: 'off',
    'align-left': 'on',
    'align-center': 'off',
    undo: '',
    text_color: 'none',
    rtl: 'off',
  });
  t.match(plain, { outdent: '', indent: 'off', bullet_list: 'off', 'list-start': '', link: 'off' });
  const rich = read(textOf('<h3 class="align-right" dir="rtl"><strong><span class="color-red bg-yellow">[x]</span></strong></h3>')).items;
  t.match(rich, {
    level: 'h3',
    strong: 'on',
    em: 'off',
    'align-right': 'on',
    'align-left': 'off',
    rtl: 'on',
    text_color: 'red',
    background_color: 'yellow',
  });
  t.match(read(textOf('<ol><li>a</li><li>|x</li></ol>')).items, {
    ordered_list: 'on',
    bullet_list: 'off',
    'list-start': 'off',
    indent: 'off',
    outdent: 'off',
  });
  t.match(read(textOf('<pre><code>|x</code></pre>')).items, {
    level: 'code',
    strong: '',
    text_color: '',
    code_block: 'on',
    'align-left': '',
    link: '',
  });
  t.match(read(textOf('<p><a href="https://a.cm">li|en</a></p>')).link, { href: 'https://a.cm' });
});

t.test('a selection of the whole document counts as all text selected', async (t) => {
  const all = (html: string): EditorState => {
    const state = textOf(html);
    return state.apply(state.tr.setSelection(new AllSelection(state.doc)));
  };
  const use = (state: EditorState, id: string): EditorState => {
    const action = actions.find((one) => one.id === id);
    if (!action) throw new Error(`no action ${id}`);
    const next = after(state, overText(action.run));
    next.doc.check();
    t.ok(next.selection instanceof AllSelection, `after ${id} the complete document is selected`);
    return next;
  };
  const plain = '<hr><p>un</p><p>deux</p><hr>';
  for (const id of ['strong', 'bullet_list', 'ordered_list', 'rtl', 'blockquote', 'code_block']) {
    t.equal(read(all(plain)).items[id], 'off', id);
    const on = use(all(plain), id);
    t.not(htmlOf(on), plain);
    t.equal(read(on).items[id], 'on', id);
    t.equal(htmlOf(use(on, id)), plain, `using ${id} twice restores the text`);
  }
  const list = '<ul><li>un</li><li>deux</li></ul>';
  t.match(read(all(list)).items, { level: 'paragraph', bullet_list: 'on', indent: '', outdent: 'off' });
  t.equal(htmlOf(use(all(list), 'ordered_list')), list.replaceAll('ul>', 'ol>'));
  t.equal(htmlOf(use(all(list), 'outdent')), '<p>un</p><p>deux</p>');
  t.equal(htmlOf(use(all(plain), 'indent')), '<hr><p class="indent-1">un</p><p class="indent-1">deux</p><hr>');
  t.equal(read(all('<h2>un</h2><p>deux</p>')).items.level, 'h2');
  t.equal(htmlOf(use(all('<h2>un</h2><p>deux</p>'), 'h3')), '<h3>un</h3><h3>deux</h3>');
  t.equal(read(all('<hr>')).items.bullet_list, '', 'a document without text has no list tool');
});

t.test('question tools are shown while the selection is in a question', async (t) => {
  const html =
    '<section class="question" data-kind="one"><header><p>Qui ?</p></header><article><p>|Lui</p></article><article data-right=""><p>Elle</p></article></section>';
  const choice = read(textOf(html));
  t.equal(choice.inQuestion, true);
  t.match(choice.items, { 'choice-right': 'off', 'choice-up': '', 'choice-down': 'off', 'choice-delete': 'off', explanation: 'off' });
  t.match(read(textOf(html.replace('|', '').replace('Elle', '|Elle'))).items, { 'choice-right': 'on', 'choice-down': '' });
  t.match(read(textOf(html.replace('|', '').replace('Qui', '|Qui'))).items, {
    'choice-right': '',
    'choice-add': 'off',
    'question-delete': 'off',
  });
  t.equal(read(textOf('<p>|x</p>')).inQuestion, false);
});

t.test('a numbered text with lettered choices can become a question', async (t) => {
  const html = '<p>Avant</p><p>[1. Qui ?</p><p>a) Lui</p><p><strong>b) Elle</strong>]</p><p>Après</p>';
  t.equal(read(textOf(html)).items['to-question'], 'off');
  t.equal(read(textOf('<p>[Avant</p><p>Après]</p>')).items['to-question'], '');
  t.equal(read(textOf(html.replace('[', '|').replace(']', ''))).items['to-question'], '', 'nothing is selected');
  const state = textOf(html);
  t.equal(
    htmlOf(after(state, transformQuestions(state.selection))),
    '<p>Avant</p><section class="question" data-kind="one"><header><p>Qui ?</p></header><article><p>Lui</p></article><article data-right=""><p>Elle</p></article></section><p>Après</p>',
  );
});

t.test('a correction has no questions', async (t) => {
  const ids = toolbarGroups(host, { withImport: true, withQuestions: false }).flatMap((group) => group.items.map(({ id }) => id));
  t.equal(ids.filter((id) => id.includes('question')).length, 0);
});

t.test('table tools are shown while the selection is in a table', async (t) => {
  const html = '<table><tr><td class="w-40">[A</td><td>B]</td></tr></table>';
  t.equal(read(textOf('<p>|x</p>')).inTable, false);
  t.equal('merge' in read(textOf('<p>|x</p>')).items, false);
  t.match(read(textOf(html.replace(']', ''))), { inTable: true, items: { width: '40', merge: '', split: '', 'row-below': 'off' } });
  const cells = cellsOf(html, [tableEditing()]);
  t.equal(read(cells).items.merge, 'off', 'two cells can be merged');
  const headed = items.find(({ id }) => id === 'header-row');
  if (headed?.kind !== 'button') throw new Error('no button for the header row');
  t.match(htmlOf(after(cells, headed.run)), /<thead><tr><th class="w-40" scope="col">A<\/th><th scope="col">B<\/th>/);
});

t.test('keys are formatted for display and for aria-keyshortcuts', async (t) => {
  t.equal(shownKeys('Mod-Shift-x'), 'Ctrl+Maj+X');
  t.equal(shownKeys('Mod-,'), 'Ctrl+,');
  t.equal(shownKeys('Alt-Shift-ArrowRight'), 'Alt+Maj+→');
  t.equal(shownKeys('Ctrl-Space'), 'Ctrl+Espace');
  t.equal(shownKeys('Mod-Enter'), 'Ctrl+Entrée');
  t.equal(shownKeys('Alt-ArrowUp'), 'Alt+↑');
  t.equal(ariaKeys('Mod-Alt-1'), 'Control+Alt+1');
  t.equal(ariaKeys('Mod-b'), 'Control+B');
  t.equal(ariaKeys('Ctrl-Space'), 'Control+Space');
  t.equal(ariaKeys('Alt-Shift-ArrowLeft'), 'Alt+Shift+ArrowLeft');
});
