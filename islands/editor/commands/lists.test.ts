import t from 'tap';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { changed, textOf } from '../../../test/support/editor-text.ts';
import { indent, isInList, outdent, setNumbering, splitItem, toggleList } from './lists.ts';

const { bullet_list: bullets, ordered_list: numbers } = richTextSchema.nodes;

t.test('makes the selection a list, and back', async (t) => {
  t.equal(changed('<p>[un</p><p>deux]</p>', toggleList(bullets)), '<ul><li>un</li><li>deux</li></ul>');
  t.equal(changed('<ul><li>[un</li><li>deux]</li></ul>', toggleList(bullets)), '<p>un</p><p>deux</p>');
  t.equal(
    changed('<ul><li>un</li><li>|deux</li></ul>', toggleList(numbers)),
    '<ol><li>un</li><li>deux</li></ol>',
    'the list changes its type',
  );
  t.equal(
    changed('<ul><li>un</li></ul><p>|deux</p>', toggleList(bullets)),
    '<ul><li>un</li><li>deux</li></ul>',
    'joins the list above this one',
  );
  t.equal(changed('<ul dir="rtl"><li>|un</li></ul>', toggleList(numbers)), '<ol dir="rtl"><li>un</li></ol>');
  t.equal(isInList(textOf('<ol><li>|x</li></ol>'), numbers), true);
  t.equal(isInList(textOf('<ol><li>x<ul><li>|y</li></ul></li></ol>'), numbers), false, 'the innermost list counts');
});

t.test('mixed blocks become one list', async (t) => {
  const mixed = '<p>[un</p><ul><li>deux</li></ul><h2>trois</h2><ol start="4"><li>quatre<ol><li>cinq</li></ol></li></ol><p>six]</p>';
  t.equal(
    changed(mixed, toggleList(bullets)),
    '<ul><li>un</li><li>deux</li><li><h2>trois</h2></li><li>quatre<ul><li>cinq</li></ul></li><li>six</li></ul>',
  );
  t.equal(isInList(textOf(mixed), bullets), false);
  t.equal(changed('<p>[un</p><hr><p>deux]</p>', toggleList(numbers)), '<ol><li>un</li></ol><hr><ol><li>deux</li></ol>');
  const two = '<ul><li>[un</li></ul><hr><ul><li>deux]</li></ul>';
  t.equal(isInList(textOf(two), bullets), true);
  t.equal(changed(two, toggleList(bullets)), '<p>un</p><hr><p>deux</p>');
  const nested = '<ul><li>[un<ul><li>deux</li><li>trois</li></ul></li><li>quatre]</li></ul>';
  t.equal(changed(nested, toggleList(bullets)), '<p>un</p><p>deux</p><p>trois</p><p>quatre</p>', 'all levels of the list are removed');
  t.equal(changed(nested, toggleList(numbers)), nested.replace(/[[\]]/g, '').replaceAll('ul>', 'ol>'));
  t.equal(
    changed('<p>[un</p><ul><li>deux</li></ul><p>trois]</p>', indent),
    '<p class="indent-1">un</p><ul><li>deux</li></ul><p class="indent-1">trois</p>',
  );
});

t.test('8 levels at most (specification §9)', async (t) => {
  const deep = (levels: number, inner: string): string => (levels === 0 ? inner : `<ul><li>x${deep(levels - 1, inner)}</li></ul>`);
  t.equal(changed(deep(6, '<ul><li>a</li><li>|b</li></ul>'), indent), deep(6, '<ul><li>a<ul><li>b</li></ul></li></ul>'));
  t.equal(indent(textOf(deep(7, '<ul><li>a</li><li>|b</li></ul>'))), false);
  t.equal(indent(textOf(deep(6, '<ul><li>a</li><li>|b<ul><li>c</li></ul></li></ul>'))), false, 'nested lists are indented too');
});

t.test('a table cell within a list item is not in the list', async (t) => {
  const table = '<ul><li>x<table><tr><td>|y</td></tr></table></li></ul>';
  t.equal(isInList(textOf(table), bullets), false);
  t.match(changed(table, toggleList(bullets)), '<td><ul><li>y</li></ul></td>');
});

t.test('indent and outdent change the level of an item, or the indentation of a paragraph', async (t) => {
  t.equal(changed('<ul><li>un</li><li>|deux</li></ul>', indent), '<ul><li>un<ul><li>deux</li></ul></li></ul>');
  t.equal(indent(textOf('<ul><li>|un</li></ul>')), false, 'the first item cannot be indented');
  t.equal(changed('<ul><li>un<ul><li>|deux</li></ul></li></ul>', outdent), '<ul><li>un</li><li>deux</li></ul>');
  t.equal(changed('<ul><li>|un</li></ul>', outdent), '<p>un</p>');
  t.equal(changed('<p>|un</p>', indent), '<p class="indent-1">un</p>', 'outside a list, the paragraph is indented by one step');
  t.equal(changed('<p class="indent-1">|un</p>', outdent), '<p>un</p>');
});

t.test('an item can be split, and an ordered list can start at any number', async (t) => {
  t.equal(changed('<ol><li>un|deux</li></ol>', splitItem), '<ol><li>un</li><li>deux</li></ol>');
  t.equal(
    changed('<ol><li>|x</li></ol>', setNumbering({ order: 7, label: '(a)' })),
    '<ol start="7" type="a" data-label="(a)"><li>x</li></ol>',
  );
  t.equal(setNumbering({ order: 7, label: null })(textOf('<ul><li>|x</li></ul>')), false);
});
