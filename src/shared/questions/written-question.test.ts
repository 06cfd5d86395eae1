import { parseHTML } from 'linkedom';
import t from 'tap';
import { documentFromDom } from '../rich-text/parse.ts';
import { richTextSchema } from '../rich-text/schema.ts';
import { serialise } from '../rich-text/serialise.ts';
import { writtenQuestions } from './written-question.ts';

const documentOf = (html: string) => documentFromDom(parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body, 'exact');

/** Returns the text with its questions in place of their blocks. */
function transformed(html: string): string {
  const blocks = [...documentOf(html).children];
  for (const { from, to, nodes } of writtenQuestions(blocks).reverse()) blocks.splice(from, to - from, ...nodes);
  const doc = richTextSchema.nodes.doc.create(null, blocks);
  doc.check();
  return serialise(doc, { formula: (latex) => latex });
}

const question = (statement: string, choices: string[], explanation = '', kind = 'one') =>
  `<section class="question" data-kind="${kind}"><header><p>${statement}</p></header>${choices
    .map((choice) =>
      choice.startsWith('+') ? `<article data-right=""><p>${choice.slice(1)}</p></article>` : `<article><p>${choice}</p></article>`,
    )
    .join('')}${explanation && `<footer><p>${explanation}</p></footer>`}</section>`;

t.test('letters as people type them', async (t) => {
  for (const [a, b] of [
    ['A. ', 'B. '],
    ['a) ', 'b) '],
    ['A) ', 'B) '],
    ['(a) ', '(b) '],
    ['a - ', 'b - '],
    ['a.', 'b.'],
  ] as const)
    t.equal(
      transformed(`<p>Avant.</p><p>1. Qui ?</p><p>${a}Lui</p><p>${b}Elle</p><p>Après.</p>`),
      `<p>Avant.</p>${question('Qui ?', ['Lui', 'Elle'])}<p>Après.</p>`,
      a,
    );
});

t.test('numbers of questions as people type them', async (t) => {
  for (const label of ['1. ', '12) ', '3- ', 'Question 4 : ', 'QUESTION 5. ', 'Q6. ', 'Question n° 7 : ', 'Question 8 '])
    t.equal(transformed(`<p>${label}Qui ?</p><p>a) Lui</p><p>b) Elle</p>`), question('Qui ?', ['Lui', 'Elle']), label);
  t.equal(
    transformed('<p><strong>Question 1</strong></p><p>Qui ?</p><p>a) Lui</p><p>b) Elle</p>'),
    question('Qui ?', ['Lui', 'Elle']),
    'a line of its own',
  );
});

t.test('right choices: bold, underlined, highlighted, a sign, or a line below', async (t) => {
  const three = question('Qui ?', ['Lui', '+Elle', 'Nous']);
  for (const right of [
    '<strong>Elle</strong>',
    '<u>Elle</u>',
    '<span class="bg-yellow">Elle</span>',
    '✓ Elle',
    'Elle ✓',
    '*Elle',
    'Elle *',
    '[x] Elle',
  ])
    t.equal(transformed(`<p>1. Qui ?</p><p>a) Lui</p><p>b) ${right}</p><p>c) Nous</p>`), three, right);
  t.equal(transformed('<p>1. Qui ?</p><p>a) Lui</p><p><strong>b) Elle</strong></p><p>c) Nous</p>'), three, 'a bold letter, too');
  for (const line of ['Réponse : b', 'Réponse: B.', 'Bonne réponse : b', 'Reponse = b'])
    t.equal(transformed(`<p>1. Qui ?</p><p>a) Lui</p><p>b) Elle</p><p>c) Nous</p><p>${line}</p>`), three, line);
  t.equal(
    transformed('<p>1. Qui ?</p><p>a) Lui</p><p>b) Elle</p><p>c) Nous</p><p>Réponses : a, c et b</p><p>Explication : tous.</p>'),
    question('Qui ?', ['+Lui', '+Elle', '+Nous'], 'tous.', 'several'),
  );
  const bold = '<p>1. Qui ?</p><p>a) <strong>Lui</strong></p><p>b) <strong>Elle</strong></p>';
  t.equal(transformed(bold), question('Qui ?', ['<strong>Lui</strong>', '<strong>Elle</strong>']), 'all bold: none is shown as right');
});

t.test('lists as choices, and numbered lists of questions', async (t) => {
  t.equal(transformed('<p>1. Qui ?</p><ol><li>Lui</li><li>Elle</li></ol>'), question('Qui ?', ['Lui', 'Elle']));
  t.equal(transformed('<p>1. Qui ?</p><ul><li>Lui</li><li>✓ Elle</li></ul>'), question('Qui ?', ['Lui', '+Elle']));
  t.equal(
    transformed('<ol><li>Qui ?<ol><li>Lui</li><li>Elle</li></ol></li><li>Où ?<ol><li>Ici</li><li>Là</li></ol></li></ol>'),
    question('Qui ?', ['Lui', 'Elle']) + question('Où ?', ['Ici', 'Là']),
  );
  t.equal(transformed('<ol start="3"><li>Qui ?</li></ol><p>a) Lui</p><p>b) Elle</p>'), question('Qui ?', ['Lui', 'Elle']));
});

t.test('lines of one paragraph, two questions in a row, and what stands between', async (t) => {
  t.equal(
    transformed('<p>1. Qui ?<br>a) Lui<br>b) Elle<br>Réponse : a<br>2. Où ?<br>a) Ici<br>b) Là</p>'),
    question('Qui ?', ['+Lui', 'Elle']) + question('Où ?', ['Ici', 'Là']),
  );
  t.equal(
    transformed('<p>1. Qui ?<br>a) Lui<br>b) Elle</p><p>Et puis.</p><p>2. Où ?<br>a) Ici<br>b) Là</p>'),
    `${question('Qui ?', ['Lui', 'Elle'])}<p>Et puis.</p>${question('Où ?', ['Ici', 'Là'])}`,
  );
});

t.test('formulas and formats stay', async (t) => {
  const formula = '<span class="formula" data-latex="x">x</span>';
  t.equal(
    transformed(`<p>1. Que vaut <em>${formula}</em> ?</p><p>a) ${formula}</p><p>b) <em>deux</em></p>`),
    question(`Que vaut <em>${formula}</em> ?`, [formula, '<em>deux</em>']),
  );
});

t.test('figures and code stay whole, and their text is no part of a question', async (t) => {
  const figure = (caption: string) => `<figure><img src="/media/a.png" alt="Schéma"><figcaption>${caption}</figcaption></figure>`;
  const asked = (lines: string[]) => transformed(lines.map((line) => (line.startsWith('<') ? line : `<p>${line}</p>`)).join(''));
  const read = (caption: string) => documentOf(figure(caption)).child(0);
  for (const caption of ['', '1. Qui ?', 'a) Lui', 'Réponse : b', 'Explication : il suffit', '* juste'])
    for (const [name, lines] of Object.entries({
      'before the question': [figure(caption), '1. Qui ?', 'a) Lui', 'b) Elle'],
      'in the statement': ['1. Qui ?', figure(caption), 'a) Lui', 'b) Elle'],
      'in a choice': ['1. Qui ?', 'a) Lui', figure(caption), 'b) Elle'],
      'before the answer': ['1. Qui ?', 'a) Lui', 'b) Elle', figure(caption), 'Réponse : b'],
      'behind the question': ['1. Qui ?', 'a) Lui', 'b) Elle', 'Réponse : b', figure(caption)],
      'in a numbered list': [`<ol><li>${figure(caption)}<ol><li>Lui</li><li>Elle</li></ol></li></ol>`],
      'as listed choices': [`<p>1. Qui ?</p><ol><li>${figure(caption)}</li><li><p>Elle</p></li></ol>`],
    })) {
      const html = asked(lines);
      const doc = documentOf(html);
      let isKept = false;
      doc.descendants((node) => {
        isKept ||= node.eq(read(caption));
      });
      t.ok(isKept, `${name}: ${caption || 'no caption'}: ${html}`);
      if (!lines.includes('Réponse : b')) t.notMatch(html, /data-right/, `${name}: ${caption}`);
    }
  t.equal(
    transformed('<pre><code>1. Qui ?</code></pre><p>a) Lui</p><p>b) Elle</p>'),
    '<pre><code>1. Qui ?</code></pre><p>a) Lui</p><p>b) Elle</p>',
  );
});

t.test('other texts stay as they are', async (t) => {
  for (const html of [
    '<p>Un paragraphe.</p><p>a) sans énoncé</p><p>b) numéroté</p>',
    '<p>1. Qui ?</p><p>Un texte.</p>',
    '<p>1. Qui ?</p><p>a) seul</p><p>Un texte.</p>',
    '<p>1. Les cas :</p><ul><li>un</li><li>deux</li></ul>',
    '<ol><li>un</li><li>deux</li></ol>',
    '<p>1. Introduction</p><h2>Suite</h2><p>a) un</p><p>b) deux</p>',
  ])
    t.equal(transformed(html), html);
});

t.test('a question is sure when it asks, says so or has an answer; parts of an exercise are not', async (t) => {
  const sure = (html: string) => writtenQuestions(documentOf(html).children).map((one) => one.sure);
  t.same(sure('<p>1. Qui ?</p><p>a) Lui</p><p>b) Elle</p>'), [true]);
  t.same(sure('<p>Question 1 : Choisir.</p><p>a) Lui</p><p>b) Elle</p>'), [true]);
  t.same(sure('<p>1. Choisir.</p><p>a) Lui</p><p>b) Elle ✓</p>'), [true]);
  t.same(sure('<p>1. Résoudre :</p><p>a) x + 1 = 0</p><p>b) x + 2 = 0</p>'), [false]);
});
