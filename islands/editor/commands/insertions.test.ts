import { type EditorState, NodeSelection } from 'prosemirror-state';
import t from 'tap';
import { after, changed, htmlOf, textOf } from '../../../test/support/editor-text.ts';
import { insertFormula, insertImage, insertRule, insertVideo, selectedNode, updateSelected } from './insertions.ts';

const IMAGE = { src: 'https://a.cm/i.png', alt: 'Courbe', width: 300, height: 200 };
const IMG = '<img src="https://a.cm/i.png" alt="Courbe" width="300" height="200" loading="lazy" decoding="async">';
const VIDEO = 'https://vimeo.com/123456';

/** Returns a state in which the only node of this type is selected. */
function selecting(html: string, name: string): EditorState {
  const state = textOf(html);
  let at = -1;
  state.doc.descendants((node, pos) => {
    if (node.type.name === name) at = pos;
  });
  return state.apply(state.tr.setSelection(NodeSelection.create(state.doc, at)));
}

t.test('blocks are inserted at the cursor, which moves below them', async (t) => {
  t.equal(changed('<p>avant|après</p>', insertRule), '<p>avant</p><hr><p>après</p>');
  t.equal(changed('<p>|</p>', insertRule), '<hr><p></p>', 'an empty paragraph is replaced');
  t.equal(changed('<p>fin|</p>', insertRule), '<p>fin</p><hr><p></p>');
  t.equal(changed('<p>fin|</p><p>suite</p>', insertRule), '<p>fin</p><hr><p>suite</p>');
  t.equal(changed('<ul><li>|x</li></ul>', insertRule).includes('<hr>'), true);
  const behind = after(textOf('<p>|</p>'), insertRule);
  t.equal(htmlOf(behind.apply(behind.tr.insertText('z'))), '<hr><p>z</p>');
});

t.test('pictures are inserted in the line or as a figure, and updated', async (t) => {
  t.equal(changed('<p>voir |ici</p>', insertImage(IMAGE, true, '')), `<p>voir ${IMG}ici</p>`);
  t.equal(changed('<p>|</p>', insertImage(IMAGE, false, 'La courbe')), `<figure>${IMG}<figcaption>La courbe</figcaption></figure><p></p>`);
  const figure = selecting(`<figure>${IMG}<figcaption>La courbe</figcaption></figure>`, 'figure');
  t.equal(selectedNode(figure, 'image', 'figure')?.attrs.alt, 'Courbe');
  t.equal(
    htmlOf(after(figure, updateSelected({ alt: 'Autre', width: 150 }))),
    `<figure>${IMG.replace('Courbe', 'Autre').replace('300', '150')}<figcaption>La courbe</figcaption></figure>`,
    'the caption is unchanged',
  );
  t.equal(htmlOf(after(figure, insertImage(IMAGE, true, ''))), `<p>${IMG}</p>`, 'from a figure to an inline picture');
  t.equal(
    htmlOf(after(selecting(`<p>a${IMG}b</p>`, 'image'), insertImage(IMAGE, false, 'La courbe'))),
    `<p>a</p><figure>${IMG}<figcaption>La courbe</figcaption></figure><p>b</p>`,
    'an inline picture becomes a figure again',
  );
});

t.test('formulas are inserted in the line or as a block, and replaced', async (t) => {
  const inline = '<span class="formula" data-latex="x^2">x^2</span>';
  const block = (latex: string) =>
    `<div class="formula-block" data-latex="${latex}" tabindex="0" role="group" aria-label="Formule">${latex}</div>`;
  t.equal(changed('<p>soit [x]</p>', insertFormula('x^2', false)), `<p>soit ${inline}</p>`);
  t.equal(changed('<p>soit|</p>', insertFormula('x^2', true)), `<p>soit</p>${block('x^2')}<p></p>`);
  t.equal(
    htmlOf(after(selecting(`<p>a${inline}b</p>`, 'formula'), insertFormula('y', false))),
    `<p>a${inline.replaceAll('x^2', 'y')}b</p>`,
  );
  t.equal(
    htmlOf(after(selecting(`<p>a</p>${block('x^2')}<p>b</p>`, 'formula_block'), insertFormula('y', true))),
    `<p>a</p>${block('y')}<p>b</p>`,
  );
});

t.test('videos are inserted and replaced', async (t) => {
  const card = (title: string) => `<div class="video" data-video="${VIDEO}" data-title="${title}">`;
  t.match(changed('<p>|</p>', insertVideo(VIDEO, 'Cours')), card('Cours'));
  const again = htmlOf(after(selecting(`<div class="video" data-video="${VIDEO}"></div>`, 'video'), insertVideo(VIDEO, 'Suite')));
  t.ok(again.startsWith(card('Suite')));
  t.equal(again.split('data-video').length, 2);
});
