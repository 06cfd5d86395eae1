import { EditorState, type Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import t from 'tap';
import { htmlOf, textOf } from '../../../test/support/editor-text.ts';
import { toolbarGroups } from '../toolbar/toolbar.ts';
import { editorKeys } from './keymap.ts';

const host = { openDialog: () => {}, focusToolbar: () => {}, notify: () => {} };
const plugins: Plugin[] = editorKeys(host, toolbarGroups(host, { withImport: true, withQuestions: true }));

/** Returns the text after a key, and whether the editor handled the key. */
function pressed(html: string, keys: Partial<KeyboardEvent> & { altGraph?: boolean }): [html: string, taken: boolean] {
  let state = EditorState.create({ ...textOf(html), plugins });
  const dispatch = (tr: Parameters<EditorState['apply']>[0]) => {
    state = state.apply(tr);
  };
  const view = { state, dispatch } as unknown as EditorView;
  const modifiers = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };
  const event = { ...modifiers, ...keys, getModifierState: (name: string) => name === 'AltGraph' && keys.altGraph === true };
  const taken = plugins.some((plugin) => plugin.props.handleKeyDown?.call(plugin as never, view, event as KeyboardEvent));
  return [htmlOf(state), taken];
}

t.test('Ctrl+Alt and a digit on a French keyboard, where digits need Shift', async (t) => {
  const held = { ctrlKey: true, altKey: true };
  t.same(pressed('<p>|x</p>', { key: '~', code: 'Digit2', ...held }), ['<h2>x</h2>', true]);
  t.same(pressed('<p>|x</p>', { key: '|', code: 'Digit6', ...held }), ['<h6>x</h6>', true]);
  t.same(pressed('<h1>|x</h1>', { key: 'à', code: 'Digit0', ...held }), ['<p>x</p>', true]);
  t.same(
    pressed('<p>|x</p>', { key: '3', code: 'Digit3', ...held }),
    ['<h3>x</h3>', true],
    'the digit without Shift works on other keyboards',
  );
  t.same(pressed('<p>|x</p>', { key: '~', code: 'Digit2', ...held, altGraph: true }), ['<p>x</p>', false], 'AltGr still types a sign');
  t.same(pressed('<p>|x</p>', { key: 'é', code: 'Digit2' }), ['<p>x</p>', false]);
});

t.test('indentation and clearing have keys on every keyboard', async (t) => {
  const held = { altKey: true, shiftKey: true };
  t.same(pressed('<p>|x</p>', { key: 'ArrowRight', code: 'ArrowRight', ...held }), ['<p class="indent-1">x</p>', true]);
  t.same(pressed('<p class="indent-1">|x</p>', { key: 'ArrowLeft', code: 'ArrowLeft', ...held }), ['<p>x</p>', true]);
  t.same(pressed('<p><em>[x]</em></p>', { key: ' ', code: 'Space', ctrlKey: true }), ['<p>x</p>', true]);
});

t.test('Enter over a whole list beside a rule leaves one empty line in its place', async (t) => {
  const enter = { key: 'Enter', code: 'Enter' };
  const list = '<ul><li>[a</li><li>b]</li></ul>';
  t.same(pressed(`<hr>${list}`, enter), ['<hr><p></p>', true]);
  t.same(pressed(`<hr>${list}<hr>`, enter), ['<hr><p></p><hr>', true]);
});
