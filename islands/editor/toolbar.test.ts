import type { EditorState } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import t from 'tap';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import { after, cellsOf, htmlOf, textOf } from '../../test/support/editor-text.ts';
import type { DialogName } from './doors.ts';
import { ariaKeys, shownKeys } from './shortcuts.ts';
import { tableGroups, toolbarGroups } from './toolbar.ts';
import { readToolbar } from './toolbar-state.ts';

const opened: DialogName[] = [];
const doors = { open: (name: DialogName) => void opened.push(name), toToolbar: () => {}, notify: () => {} };
const main = toolbarGroups(doors, true);
const table = tableGroups();
const items = [...main, ...table].flatMap((group) => group.items);
/** Everything that a click or a key runs. */
const actions = items.flatMap((item) => (item.kind === 'menu' ? item.items : [item]));
const read = (state: EditorState) => readToolbar(state, main, table);

t.test('each thing stands there once, with a name and keys of its own', async (t) => {
  const ids = items.map(({ id }) => id);
  const keys = actions.flatMap((action) => action.keys ?? []);
  t.same(ids, [...new Set(ids)]);
  t.same(keys, [...new Set(keys)]);
  t.ok(keys.length >= 20);
  for (const { id, label } of actions) t.match(label, /\S/, id);
});

t.test('every mark of the schema can be given', async (t) => {
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

t.test('every block of the schema can be made, here or in a dialog', async (t) => {
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
    'text',
  ]);
  t.same([...opened].sort(), ['formula', 'image', 'import', 'link', 'list-start', 'table', 'video']);
});

t.test('it shows what holds at the selection', async (t) => {
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

t.test('tables have their tools while one is in them', async (t) => {
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

t.test('keys as they are shown and as they are announced', async (t) => {
  t.equal(shownKeys('Mod-Shift-x'), 'Ctrl+Maj+X');
  t.equal(shownKeys('Mod-,'), 'Ctrl+,');
  t.equal(shownKeys('Mod-\\'), 'Ctrl+\\');
  t.equal(ariaKeys('Mod-Alt-1'), 'Control+Alt+1');
  t.equal(ariaKeys('Mod-b'), 'Control+B');
});
