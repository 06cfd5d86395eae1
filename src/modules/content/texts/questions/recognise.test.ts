import { globSync, readFileSync } from 'node:fs';
import type { Node } from 'prosemirror-model';
import t from 'tap';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { randomDocument } from '../../../../../test/support/random-documents.ts';
import { shownBlocks } from '../../../../../test/support/shown-questions.ts';
import { type DocxParts, docx, htmlOf, imported, p, r } from '../../../../../test/support/word-file.ts';
import { questionFaults } from '../../../../shared/questions/question-fault.ts';
import { documentFromJson } from '../../../../shared/rich-text/document.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { recognise } from './recognise.ts';

// Documents of teachers, and the questions that are recognised in them, each on one line (test/support/shown-questions.ts).

const markdown = (text: string) => imported(Buffer.from(text));
const word = async (body: string, parts: Omit<DocxParts, 'body'> = {}) => imported(await docx({ body, ...parts }));

const bold = (text: string) => r(text, '<w:b/>');
const yellow = (text: string) => r(text, '<w:highlight w:val="yellow"/>');
const maths = (text: string, properties = '') => `<m:oMath><m:r><w:rPr>${properties}</w:rPr><m:t>${text}</m:t></m:r></m:oMath>`;
/** A list paragraph with letters: level 1 of the first numbering of the test's Word files. */
const lettered = (content: string, numId = 1) => p(content, `<w:numPr><w:ilvl w:val="1"/><w:numId w:val="${numId}"/></w:numPr>`);
const numbered = (content: string, numId = 1) => p(content, `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${numId}"/></w:numPr>`);

t.test('Word: right choices in bold or highlighted, formulas too', async (t) => {
  const { contenu, remarques } = await word(
    p(bold('Question 1.') + r(' Combien font deux et deux ?')) +
      lettered(r('Trois')) +
      lettered(yellow('Quatre')) +
      lettered(r('Cinq')) +
      p(bold('Question 2.') + r(' Quels nombres sont pairs ?')) +
      lettered(maths('2', '<w:b/><w:highlight w:val="yellow"/>')) +
      lettered(maths('3')) +
      lettered(yellow('le double de ') + maths('n', '<w:highlight w:val="yellow"/>')) +
      p(r('Explication :', '<w:i/>') + r(' un nombre pair est un multiple de 2.')) +
      p(r('Par exemple :')) +
      p(`<m:oMathPara>${maths('4=2×2')}</m:oMathPara>`),
  );
  t.same(shownBlocks(contenu), [
    'one Combien font deux et deux ? | Trois | *Quatre | Cinq',
    'several Quels nombres sont pairs ? | *[2] | [3] | *le double de [n] >> un nombre pair est un multiple de 2. ¶ Par exemple : ¶ [4=2\\times2]',
  ]);
  t.notMatch(htmlOf(contenu), /bg-yellow|<strong>Quatre/, 'the marks do not give the answers away');
  t.same(remarques, ['2 questions reconnues : vérifiez les bonnes réponses.']);
});

t.test('Word: bold choices in a numbered list whose items are the questions', async (t) => {
  const { contenu } = await word(
    p(r('Contrôle de géographie')) +
      numbered(r('Quelle est la capitale du Cameroun ?')) +
      lettered(r('Douala')) +
      lettered(bold('Yaoundé')) +
      numbered(r('Quel fleuve passe à Édéa ?')) +
      lettered(bold('La Sanaga')) +
      lettered(r('Le Nyong')),
  );
  t.same(shownBlocks(contenu), [
    'paragraph: Contrôle de géographie',
    'one Quelle est la capitale du Cameroun ? | Douala | *Yaoundé',
    'one Quel fleuve passe à Édéa ? | *La Sanaga | Le Nyong',
  ]);
});

t.test('Word: a line with the answer below the choices, also where Word indents it under the last one', async (t) => {
  const { contenu } = await word(
    p(r('Q1) Deux énoncés.')) +
      p(r('Lesquels sont vrais ?')) +
      lettered(r('le premier')) +
      lettered(r('le second')) +
      lettered(r('aucun')) +
      p(r('Bonnes réponses : a et b'), '<w:ind w:left="1440"/>') +
      p(r('Prose entre deux questions.')) +
      p(r('Q2) La Terre tourne ?')) +
      lettered(r('oui'), 3) +
      lettered(r('non'), 3) +
      p(r('Réponse : a. Elle tourne en un jour.')),
  );
  t.same(shownBlocks(contenu), [
    'several Deux énoncés. ¶ Lesquels sont vrais ? | *le premier | *le second | aucun',
    'paragraph: Prose entre deux questions.',
    'one La Terre tourne ? | *oui | non >> Elle tourne en un jour.',
  ]);
});

t.test('Word: a key at the end as a table, a list or a line', async (t) => {
  const questions =
    p(r('Question 1 : capitale du Tchad ?')) +
    lettered(r('Douala')) +
    lettered(r("N'Djamena")) +
    p(r('Question 2 : nombres premiers ?')) +
    lettered(r('2'), 3) +
    lettered(r('3'), 3) +
    lettered(r('4'), 3);
  const cell = (text: string) => `<w:tc>${p(r(text))}</w:tc>`;
  const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`;
  const keys: Record<string, string> = {
    'a table': `<w:tbl>${row('Question', 'Réponse')}${row('1', 'B')}${row('2', 'AB')}</w:tbl>`,
    'a wide table': `<w:tbl>${row('Question', '1', '2')}${row('Réponse', 'b', 'a et b')}</w:tbl>`,
    'a list': numbered(r('b')) + numbered(r('a, b')),
    'a line': p(r('1. b ; 2. a, b')),
    lines: p(r('1) B')) + p(r('2) A-B')),
  };
  const expected = ["one capitale du Tchad ? | Douala | *N'Djamena", 'several nombres premiers ? | *2 | *3 | 4'];
  for (const [name, key] of Object.entries(keys)) {
    for (const title of ['Corrigé', 'Grille de réponses']) {
      const { contenu, corrige, remarques } = await word(questions + p(r(title)) + key);
      t.same([shownBlocks(contenu), corrige], [expected, null], `${name} under ${title}`);
      t.same(remarques, ['2 questions reconnues : vérifiez les bonnes réponses.']);
    }
  }
});

t.test('a key with reasons gives answers and explanations, and other text of the correction stays', async (t) => {
  const { contenu, corrige } = await markdown(
    '**Question 1.** Capitale ?\n\n- A. Douala\n- B. Yaoundé\n\n<!-- corrigé -->\n\n## Réponses\n\n| Question | 1 |\n|---|---|\n| Réponse | B |\n\n## Justifications\n\n**Question 1 : B.** Depuis 1922.\n\n## Pour aller plus loin\n\nRelire la leçon.',
  );
  t.same(shownBlocks(contenu), ['one Capitale ? | Douala | *Yaoundé >> Depuis 1922.']);
  t.same(corrige && shownBlocks(corrige), ['heading: Pour aller plus loin', 'paragraph: Relire la leçon.']);
});

t.test('Word: choices typed by hand, one or several on a line, with a sign beside the right ones', async (t) => {
  const { contenu } = await word(
    p(r('1. Combien font 2 + 2 ?')) +
      p(`${r('a) 3')}<w:r><w:br/></w:r>${r('b) ')}${maths('4')}${r(' *')}<w:r><w:br/></w:r>${r('c) 5')}`) +
      p(r('2. Et 3 + 3 ?')) +
      p(r('A. 5     B. 6 ✓     C. 7')) +
      p(r('3. Et 4 + 4 ?')) +
      p(r('a) 8 *')) +
      p(r('b) 9')) +
      p(r('4. Et 5 + 5 ?')) +
      p(r('(a) 11')) +
      p(r('* (b) 10')),
  );
  t.same(shownBlocks(contenu), [
    'one Combien font 2 + 2 ? | 3 | *[4] | 5',
    'one Et 3 + 3 ? | 5 | *6 | 7',
    'one Et 4 + 4 ? | *8 | 9',
    'one Et 5 + 5 ? | 11 | *10',
  ]);
});

t.test('Markdown: boxes, and the forms of Word typed by hand', async (t) => {
  const { contenu, titre, remarques } = await markdown(
    [
      '# Révisions',
      'Cochez les bonnes réponses.',
      '### Question 1 (2 points)',
      'Quels nombres sont pairs ?',
      '- [x] $2$\n- [ ] $3$\n- [x] quatre\n\n  > Quatre vaut deux fois deux.',
      '> Un nombre pair est un multiple de 2.',
      '<!-- -->',
      '### Question 2',
      'Le triangle ci-dessous :',
      '| a | b |\n|---|---|\n| 3 | 4 |',
      'est-il rectangle ?',
      'a) oui\nb) non\nc) on ne sait pas\nRéponse : c\nExplication : il manque un côté.',
      '3. Capitale du Gabon ?\n   - [ ] Douala\n   - [x] Libreville',
      '4. Le Soleil tourne autour de la Terre.',
      'Vrai / Faux',
      'Réponse : Faux',
      'Fin du questionnaire.',
    ].join('\n\n'),
  );
  t.equal(titre, 'Révisions');
  t.same(shownBlocks(contenu), [
    'paragraph: Cochez les bonnes réponses.',
    'several (2) Quels nombres sont pairs ? | *[2] | [3] | *quatre{Quatre vaut deux fois deux.} >> Un nombre pair est un multiple de 2.',
    'several Le triangle ci-dessous : ¶ a ¶ b ¶ 3 ¶ 4 ¶ est-il rectangle ? | oui | non | *on ne sait pas >> il manque un côté.',
    'one Capitale du Gabon ? | Douala | *Libreville',
    'one Le Soleil tourne autour de la Terre. | Vrai | *Faux',
    'paragraph: Fin du questionnaire.',
  ]);
  t.same(remarques.slice(-1), ['4 questions reconnues : vérifiez les bonnes réponses.']);
});

t.test('questions with a typed answer: a number with its tolerance and unit, or accepted answers', async (t) => {
  const { contenu, remarques } = await markdown(
    [
      '## Question 1 (2 points)\n\nQue vaut $g$ à Yaoundé ?\n\nRéponse numérique : 9,8 ± 0,1 m/s²\n\n> Entre $9{,}78$ et $9{,}83$ sur Terre.',
      'Le cours reprend ici.',
      '**Question 2.** Symbole du fer ?\nRéponses acceptées : Fe ; fer ; élément 26\nExplication : du latin *ferrum*.',
      '**Question.** Combien font 7 divisé par 2 ?\n\nRéponse numérique : 7/2',
      '4. Masse ?\n\n   Réponse numérique : 1,2 × 10^-3 kg ± 2 %\n5. Part ?\n   Réponse numérique : 12,5 % ± 0,5',
      'Question 6. Prix ?\n\nRéponse numérique : 12 000 ± 2 % F CFA',
      'Question 7. Température ?\n\nRéponse numérique : −4 °C',
      'Question 8. Combien ?\n\nRéponse numérique : beaucoup',
    ].join('\n\n'),
  );
  t.same(shownBlocks(contenu), [
    'number (2) Que vaut [g] à Yaoundé ? >> Entre [9{,}78] et [9{,}83] sur Terre. = 9,8 ± 0,1 m/s²',
    'paragraph: Le cours reprend ici.',
    'text Symbole du fer ? >> du latin ferrum. = Fe = fer = élément 26',
    'number Combien font 7 divisé par 2 ? = 7/2 ± 0',
    'number Masse ? = 1,2 × 10^-3 ± 2 % kg',
    'number Part ? = 12,5 ± 0,5 %',
    'number Prix ? = 12 000 ± 2 % F CFA',
    'number Température ? = −4 ± 0 °C',
    'number Combien ? = beaucoup ± 0',
  ]);
  t.same(questionFaults(documentFromJson(contenu)), [...Array(7).fill(null), "la valeur attendue n'est pas un nombre"]);
  t.same(remarques.slice(-1), ['8 questions reconnues : vérifiez les bonnes réponses.']);
});

t.test('questions without a right answer are found where the document asks questions', async (t) => {
  const { contenu } = await markdown(
    'QCM : une seule réponse par question.\n\n1. Capitale ?\n\na) Douala\n\nb) Yaoundé\n\n2. Fleuve ?\n\na) la Sanaga\n\nb) le Nil',
  );
  t.same(shownBlocks(contenu).slice(1), ['one Capitale ? | Douala | Yaoundé', 'one Fleuve ? | la Sanaga | le Nil']);
});

t.test('a statement may have numbered propositions', async (t) => {
  const { contenu } = await markdown(
    '5. Parmi ces propositions :\n\n1\\) l’eau bout à 100 °C\n\n2\\) la glace coule\n\nlesquelles sont vraies ?\n\na) 1\n\nb) 2\n\nRéponse : a',
  );
  t.match(shownBlocks(contenu).at(-1), /\| \*1 \| 2$/);
});

t.test('what is not clearly a question stays as it was', async (t) => {
  const texts = [
    '**Exercice 1.** Soit $f(x) = x^2$.\n\na) Calculer $f(2)$.\n\nb) Étudier les variations de $f$.',
    '1. Soit $f$ une fonction.\n\n   a) Montrer que $f$ est paire.\n\n   b) En déduire sa courbe.\n\n2. Conclure.',
    'À faire :\n\n- [x] relire la leçon\n- [ ] refaire les exercices',
    'Trois cas :\n\na) **le premier**\n\nb) le deuxième\n\nc) le troisième',
    'Question 1. Que dit la loi ?\n\na) Citez l’article 2.\n\nb) Expliquez-le.',
    'Le plan :\n\n1. **Introduction**\n2. Développement\n3. Conclusion',
    'M. A. Dupont et M. B. Durand disent ceci. Réponse : rien.',
    'Réponse : b, d\n\nCorrigé\n\n1. a\n2. b',
  ];
  for (const text of texts) {
    const { contenu } = await markdown(text);
    t.notMatch(htmlOf(contenu), /<section/, text);
  }
});

t.test('items of a numbered list that are no questions stay a list with their numbers', async (t) => {
  const { contenu } = await markdown(
    '1. Lisez le texte.\n2. Capitale ?\n   - [ ] Douala\n   - [x] Yaoundé\n3. Rendez la copie.\n4. Merci.',
  );
  t.equal(
    htmlOf(contenu).replaceAll(/<section.*<\/section>/g, 'QUESTION'),
    '<ol><li>Lisez le texte.</li></ol>QUESTION<ol start="3"><li>Rendez la copie.</li><li>Merci.</li></ol>',
  );
});

t.test('a written answer is kept when the highlighting says otherwise, and named', async (t) => {
  const { contenu, remarques } = await word(
    p(r('Question 1 : capitale ?')) + lettered(yellow('Douala')) + lettered(r('Yaoundé')) + p(r('Réponse : b')),
  );
  t.same(shownBlocks(contenu), ['one capitale ? | Douala | *Yaoundé']);
  t.match(remarques, [/1 question reconnue/, /^Question 1 : la réponse écrite et la réponse mise en évidence diffèrent/]);
});

t.test('the questions written in the demonstration are found, and no other text becomes one', async (t) => {
  for (const path of globSync('demo/**/*.md')) {
    const source = readFileSync(path, 'utf8');
    const { contenu, corrige } = await imported(Buffer.from(source));
    const [statement = ''] = source.split('<!-- corrigé -->');
    const faults = [contenu, corrige].flatMap((text) => (text ? questionFaults(documentFromJson(text)) : []));
    const written = statement.match(/^(?:## Question \d+|\*\*Question(?: \d+)?\.\*\*)/gm) ?? [];
    t.same(
      faults,
      written.map(() => null),
      path,
    );
    // Ticked boxes, or a table of letters in the correction.
    const right = source.match(/^- \[x\]|(?<=^\| Réponse \|.*) [A-E](?= \|)/gm) ?? [];
    t.equal(htmlOf(contenu).match(/<article[^>]* data-right/g)?.length ?? 0, right.length, `right choices of ${path}`);
  }
});

/** Returns the letters of a document, without blanks and signs, which marks and labels of questions may lose. */
const lettersOf = (node: Node) => node.textBetween(0, node.content.size).replaceAll(/[^\p{L}]/gu, '');

t.test('any document keeps its text', async (t) => {
  const seed = seedOfRun();
  for (const first of new Set([seed, 836_606_890])) {
    t.comment(`SEED=${first}`);
    const random = seeded(first);
    for (let round = 0; round < (isLongForm ? 20_000 : 300); round += 1) {
      const document = randomDocument(random);
      const found = recognise(document, null);
      if (lettersOf(found.contenu) !== lettersOf(document)) return t.fail(`SEED=${first}, document ${round}: ${document}`);
      if (found.count === 0 && found.contenu !== document) return t.fail(`SEED=${first}, document ${round} is another one`);
    }
  }
  t.pass();
});

t.test('any figure, table, code or formula stays whole beside a question and in each of its parts', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const { doc, paragraph } = richTextSchema.nodes;
  const line = (text: string) => paragraph.create(null, richTextSchema.text(text));
  const lines = ['Introduction', 'Question 1 : capitale ?', 'a) Douala', 'b) Yaoundé', 'Réponse : b', 'Explication : depuis 1922'].map(
    line,
  );
  const kinds = new Set(['figure', 'table', 'code_block', 'formula_block']);
  for (let round = 0; round < (isLongForm ? 20_000 : 500); round += 1) {
    const added = randomDocument(random).children.filter(({ type }) => kinds.has(type.name));
    // Below the answer a block ends the question.
    const at = Math.floor(random() * (lines.length + 1));
    const document = doc.create(null, [...lines.slice(0, at), ...added, ...lines.slice(at)]);
    const { contenu } = recognise(document, null);
    for (const block of added) {
      let isKept = false;
      contenu.descendants((node) => {
        isKept ||= node === block;
      });
      if (!isKept) return t.fail(`SEED=${seed}, round ${round}, in front of line ${at}: ${block}`);
    }
  }
  t.pass();
});
