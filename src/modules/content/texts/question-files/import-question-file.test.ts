import t from 'tap';
import { shownBlocks } from '../../../../../test/support/shown-questions.ts';
import { htmlOf, imported } from '../../../../../test/support/word-file.ts';
import { importDocument } from '../worker/import-document.ts';

const file = (text: string) => imported(Buffer.from(text));
const xml = (...questions: string[]) => `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${questions.join('\n')}\n</quiz>`;
const q = (type: string, text: string, more = '') =>
  `<question type="${type}"><name><text>Nom</text></name><questiontext format="html"><text><![CDATA[${text}]]></text></questiontext>${more}</question>`;
const answer = (fraction: number, text: string, feedback = '') =>
  `<answer fraction="${fraction}"><text>${text}</text><feedback><text>${feedback}</text></feedback></answer>`;

t.test('GIFT: every kind, escapes, feedback, weights and categories', async (t) => {
  const { contenu, remarques, marking } = await file(
    `// Un commentaire
$CATEGORY: $course$/top/Géographie/Fleuves

::Q1::Quelle est la capitale du Cameroun ? {
  ~%-25%Douala#Le port.
  =Yaoundé # Depuis 1922.
  ~%-25%Garoua
  ####Voir la carte.
}

Nombres \\= pairs ? { ~%50%2 ~%50%\\{4\\} ~%-100%3 }

::Q3::[html]<p>La Terre <b>tourne</b>.</p>{T#Non.#Oui.}

Valeur de \\(\\pi\\) ? {#3.14:0.01}

Entre 3 et 4 ? {#3..4}

Auteur du roman ? {=Mongo Beti =Eza Boto =%50%Beti#Incomplet.}

Soit $\\frac{a}{b} \\neq 1$ : que vaut $b$ ? {=a ~b}

Associez. {=Cameroun -> Yaoundé =Gabon -> Libreville}

Rédigez un plan. {}

Le {~Nyong =Nil} traverse l'Égypte.

Simple texte.`,
  );
  t.same(shownBlocks(contenu), [
    'heading: Fleuves',
    'one Quelle est la capitale du Cameroun ? | Douala{Le port.} | *Yaoundé{Depuis 1922.} | Garoua >> Voir la carte.',
    'several Nombres = pairs ? | *2 | *{4} | 3',
    'one La Terre tourne. | *Vrai{Oui.} | Faux{Non.}',
    'number Valeur de [\\pi] ? = 3,14 ± 0,01',
    'number Entre 3 et 4 ? = 3,5 ± 0,5',
    'text Auteur du roman ? >> Incomplet. = Mongo Beti = Eza Boto',
    'one Soit [\\frac{a}{b} \\neq 1] : que vaut [b] ? | *a | b',
    'paragraph: Associez.',
    'paragraph: Cameroun → Yaoundé',
    'paragraph: Gabon → Libreville',
    'paragraph: Rédigez un plan.',
    "one Le _____ traverse l'Égypte. | Nyong | *Nil",
    'paragraph: Simple texte.',
  ]);
  t.equal(marking, null, 'not every question takes points away');
  t.match(remarques, [
    'Format GIFT : 8 questions reconnues.',
    /^Ligne 19 : la réponse « Beti » donnait 50 %/,
    /^Ligne 23 : question d'appariement/,
    /^Ligne 25 : question à réponse rédigée/,
    /^Ligne 4 : une mauvaise réponse enlevait 0,25 point/,
  ]);
});

t.test('Moodle XML: every kind, points, order of choices, feedback, pictures, and kinds that we do not have', async (t) => {
  const stored: string[] = [];
  const source = xml(
    '<question type="category"><category><text>$course$/top/Chimie</text></category></question>',
    q(
      'multichoice',
      '<p>Formule de l’eau ? <img src="@@PLUGINFILE@@/mol%C3%A9cule.png" alt="H2O"></p><script>alert(1)</script>',
      `<generalfeedback><text>Deux atomes d'hydrogène.</text></generalfeedback><defaultgrade>2</defaultgrade><single>true</single><shuffleanswers>0</shuffleanswers>${answer(-50, 'CO2', 'Un gaz.')}${answer(100, '\\(\\mathrm{H_2O}\\)')}`,
    ).replace(
      '</questiontext>',
      `<file name="molécule.png" encoding="base64">${Buffer.from('image').toString('base64')}</file></questiontext>`,
    ),
    q('multichoice', 'Métaux ?', `<single>false</single>${answer(50, 'fer')}${answer(50, 'cuivre')}${answer(-100, 'soufre')}`),
    q('truefalse', 'L’or rouille.', answer(0, 'true') + answer(100, 'false', 'Il est noble.')),
    q(
      'numerical',
      'Température ?',
      '<answer fraction="100"><text>36.6</text><tolerance>0.5</tolerance></answer><units><unit><multiplier>1</multiplier><unit_name>°C</unit_name></unit></units>',
    ),
    q('shortanswer', 'Symbole du fer ?', answer(100, 'Fe')),
    q('matching', 'Associez.', '<subquestion><text>Na</text><answer><text>sodium</text></answer></subquestion>'),
    q('cloze', 'Le {1:SHORTANSWER:=sodium} réagit.'),
  );
  const { contenu, remarques, marking } = await importDocument(Buffer.from(source), async (bytes) => {
    stored.push(bytes.toString());
    return { src: '/media/a.webp', width: 400, height: 200 };
  });
  t.same(shownBlocks(contenu), [
    'heading: Chimie',
    "one (2) fixed Formule de l’eau ? <image> | CO2{Un gaz.} | *[\\mathrm{H_2O}] >> Deux atomes d'hydrogène.",
    'several Métaux ? | *fer | *cuivre | soufre',
    'one fixed L’or rouille. | Vrai | *Faux{Il est noble.}',
    'number Température ? = 36,6 ± 0,5 °C',
    'text Symbole du fer ? = Fe',
    'paragraph: Associez.',
    'paragraph: Na',
    'paragraph: → sodium',
    'paragraph: Le {1:SHORTANSWER:=sodium} réagit.',
  ]);
  t.same(stored, ['image']);
  t.match(htmlOf(contenu), /src="\/media\/a.webp"/);
  t.same(marking, { right: 1, wrong: -0.5, unanswered: 0 }, 'the one question with one right choice takes half a point away');
  t.match(remarques.slice(-2), [/^Question 6 \(« Nom »\) : question d'appariement/, /^Question 7 \(« Nom »\) : texte à trous/]);
});

t.test('AMC-TXT: one and several right choices, options, scoring, signs and open questions', async (t) => {
  const { contenu, titre, remarques, marking } = await file(
    `# Commentaire
Title: Devoir de physique
DefaultScoringS: b=1,m=-0.25
Presentation: Lisez bien.

* La lumière va [*plus vite*] que le son.
Vrai ou non ?
+ oui
- non

**[ordered]{b=2} Unités de longueur ?
+ le mètre
- le kilogramme
+ le pouce

*<lines=3> Démontrez la loi.
-[O]{0} O`,
  );
  t.equal(titre, 'Devoir de physique');
  t.same(shownBlocks(contenu), [
    'paragraph: Lisez bien.',
    'one La lumière va plus vite que le son. Vrai ou non ? | *oui | non',
    'several (2) fixed Unités de longueur ? | *le mètre | le kilogramme | *le pouce',
    'paragraph: Démontrez la loi.',
  ]);
  t.same(marking, { right: 1, wrong: -0.25, unanswered: 0 });
  t.match(remarques.slice(-1), [/^Ligne 16 : question ouverte/]);
});

t.test('Aiken: several lines, several answers, and a question without its answer', async (t) => {
  const { contenu, remarques } = await file(
    'Capitale du Gabon ?\n(Afrique centrale)\nA) Douala\nB. Libreville\nANSWER: B\n\nPairs ?\nA) 2\nB) 3\nC) 4\nANSWER: A, C\n\nPerdue ?\nA) x\nB) y\n\nSuivante ?\nA) x\nB) y\nANSWER: A',
  );
  t.same(shownBlocks(contenu).slice(0, 2), [
    'one Capitale du Gabon ? / (Afrique centrale) | Douala | *Libreville',
    'several Pairs ? | *2 | 3 | *4',
  ]);
  t.equal(shownBlocks(contenu).at(-1), 'one Suivante ? | *x | y');
  t.match(shownBlocks(contenu)[2], /Perdue \?/);
  t.match(remarques.slice(-1), [/^Ligne 13 : question sans ligne ANSWER/]);
});

t.test('the list of questions says which have a right answer', async (t) => {
  const { questions } = await file(
    '### Question 1\n\nCapitale ?\n\n- [ ] Douala\n- [x] Yaoundé\n\n### Question 2\n\nFleuve ?\n\n- [ ] Nil\n- [ ] Wouri',
  );
  t.same(questions, [
    { place: 0, statement: 'Capitale ?', kind: 'one', isAnswered: true, fault: null },
    { place: 1, statement: 'Fleuve ?', kind: 'one', isAnswered: false, fault: 'aucun choix juste' },
  ]);
});

t.test('Markdown with braces, stars or letters is no question file', async (t) => {
  for (const text of [
    '# Titre {#id}\n\nSoit $f_{=}$ et {T}.',
    '* un\n  - deux\n  - trois\n\n* quatre',
    'A) un\n\nB) deux',
    'Texte {=simple.',
  ]) {
    const { remarques } = await file(text);
    t.notMatch(remarques, [/^Format/], text);
  }
});

t.test('of a file that is cut off, the whole questions are read and the rest is named', async (t) => {
  const cut = async (text: string) => {
    const { contenu, remarques } = await file(text);
    return [shownBlocks(contenu), remarques.join(' ')];
  };
  const cases: [string, string[], RegExp][] = [
    [
      'Nombres ? {=2 ~3}\n\nCapitale ? {=Yaoundé ~Dou',
      ['one Nombres ? | *2 | 3', 'paragraph: Capitale ? {=Yaoundé ~Dou'],
      /Ligne 3 .*accolades/,
    ],
    [
      'Capitale ?\nA) Yaoundé\nB) Douala\nANSWER: A\n\nFleuve ?\nA) Nil\nB) Wou',
      ['one Capitale ? | *Yaoundé | Douala', 'paragraph: Fleuve ? / A) Nil / B) Wou'],
      /Ligne 6 .*sans ligne ANSWER/,
    ],
    [
      '* Unité ?\n+ newton\n- joule\n\n** Longueurs ?\n+ le m',
      ['one Unité ? | *newton | joule', 'paragraph: Longueurs ?', 'paragraph: le m'],
      /Ligne 5/,
    ],
  ];
  for (const [text, blocks, remark] of cases) {
    const [found, said] = await cut(text);
    t.same(found, blocks);
    t.match(said, remark);
  }
});

t.test('broken and hostile question files get a French sentence', async (t) => {
  const essay = (text: string) => xml(q('essay', text));
  const cases: [string, string | Buffer, RegExp][] = [
    ['half a file', xml(q('essay', 'a')).slice(0, 90), /incomplet ou mal formé/],
    ['entities', '<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><quiz>&b;</quiz>', /XML/],
    ['entities behind the start', '<quiz><!DOCTYPE quiz [<!ENTITY a "aa">]></quiz>', /incomplet ou mal formé/],
    ['an endless section', `<quiz>${'<![CDATA['.repeat(50_000)}`, /incomplet ou mal formé/],
    ['other XML', '<?xml version="1.0"?><html/>', /pas un export de questions/],
    ['UTF-16', Buffer.from(`\ufeff${xml(q('essay', 'a'))}`, 'utf16le'), /UTF-16/],
    ['10 MB', Buffer.alloc(10 * 1024 * 1024 + 1, '::a::b {=c}\n\n'), /10 Mo/],
    ['a long text', '::a::b ? {=c ~d}\n\n'.repeat(60_000), /trop long/],
    ['many questions', '::a::b ? {=c ~d}\n\n'.repeat(3_000), /trop long ou trop compliqué/],
    ['levels of XML', `<quiz>${'<question>'.repeat(5_000)}`, /trop compliqué/],
    ['levels of HTML', essay('<div>'.repeat(9_000)), /trop de niveaux/],
    ['one endless formula', essay('\\(a'.repeat(60_000)), /trop long ou trop compliqué/],
  ];
  for (const [name, bytes, message] of cases)
    await t.rejects(imported(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)), { name: 'AppError', status: 400, message }, name);
  const { contenu } = await file(
    essay('<p onclick="x()">a<img src=x onerror=alert(1)></p><iframe src="javascript:x"></iframe><a href="javascript:x">b</a>'),
  );
  t.equal(htmlOf(contenu), '<p>a</p><p>b</p>');
  const latin = xml(q('truefalse', 'Été ?', answer(100, 'true') + answer(0, 'false'))).replace('UTF-8', 'ISO-8859-1');
  const { contenu: read, remarques } = await imported(Buffer.from(latin, 'latin1'));
  t.same(shownBlocks(read), ['one fixed Été ? | *Vrai | Faux']);
  t.match(remarques, [/pas en UTF-8/]);
});
