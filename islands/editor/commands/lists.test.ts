import t from 'tap';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { changed, textOf } from '../../../test/support/editor-text.ts';
import { indent, isInList, outdent, setListStart, splitItem, toggleList } from './lists.ts';

const { bullet_list: bullets, ordered_list: numbers } = richTextSchema.nodes;

t.test('a list of what is selected, and back', async (t) => {
  t.equal(changed('<p>[un</p><p>deux]</p>', toggleList(bullets)), '<ul><li>un</li><li>deux</li></ul>');
  t.equal(changed('<ul><li>[un</li><li>deux]</li></ul>', toggleList(bullets)), '<p>un</p><p>deux</p>');
  t.equal(changed('<ul><li>un</li><li>|deux</li></ul>', toggleList(numbers)), '<ol><li>un</li><li>deux</li></ol>', 'of the other kind');
  t.equal(
    changed('<ul><li>un</li></ul><p>|deux</p>', toggleList(bullets)),
    '<ul><li>un</li><li>deux</li></ul>',
    'goes on with the one above',
  );
  t.equal(changed('<ul dir="rtl"><li>|un</li></ul>', toggleList(numbers)), '<ol dir="rtl"><li>un</li></ol>');
  t.equal(isInList(textOf('<ol><li>|x</li></ol>'), numbers), true);
  t.equal(isInList(textOf('<ol><li>x<ul><li>|y</li></ul></li></ol>'), numbers), false, 'the innermost counts');
});

t.test('a cell within a list item is out of the list', async (t) => {
  const table = '<ul><li>x<table><tr><td>|y</td></tr></table></li></ul>';
  t.equal(isInList(textOf(table), bullets), false);
  t.match(changed(table, toggleList(bullets)), '<td><ul><li>y</li></ul></td>');
});

t.test('deeper and back', async (t) => {
  t.equal(changed('<ul><li>un</li><li>|deux</li></ul>', indent), '<ul><li>un<ul><li>deux</li></ul></li></ul>');
  t.equal(indent(textOf('<ul><li>|un</li></ul>')), false, 'the first has nothing to sink below');
  t.equal(changed('<ul><li>un<ul><li>|deux</li></ul></li></ul>', outdent), '<ul><li>un</li><li>deux</li></ul>');
  t.equal(changed('<ul><li>|un</li></ul>', outdent), '<p>un</p>');
  t.equal(changed('<p>|un</p>', indent), '<p class="indent-1">un</p>', 'outside a list, one step to the right');
  t.equal(changed('<p class="indent-1">|un</p>', outdent), '<p>un</p>');
});

t.test('items and numbers', async (t) => {
  t.equal(changed('<ol><li>un|deux</li></ol>', splitItem), '<ol><li>un</li><li>deux</li></ol>');
  t.equal(changed('<ol><li>|x</li></ol>', setListStart(7)), '<ol start="7"><li>x</li></ol>');
  t.equal(setListStart(7)(textOf('<ul><li>|x</li></ul>')), false);
});
