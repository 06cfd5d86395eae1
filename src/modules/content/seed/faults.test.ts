import sharp from 'sharp';
import t from 'tap';
import { faultsOf, PNG } from '../../../../test/support/content-folder.ts';

/** A picture wider than covers may be. */
const wide = await sharp({ create: { width: 9000, height: 10, channels: 3, background: '#be0050' } })
  .png()
  .toBuffer();

t.test('each fault is reported with its file and line', async (t) => {
  const lesson = 'ens/maths/lecons/01-suites.md';
  const page = 'ens/maths/lecons/03-limites.html';
  const subject = 'ens/maths/sujets/01-ens-2023.md';
  const head = '---\ntitre: Les suites\n---\n';
  const shows = '\n![Une courbe](courbe.png)\n';
  const cases: [string, Record<string, string | Buffer | null>, string[]][] = [
    ['no front matter', { [page]: '<p>a</p>' }, [`${page}:1: L'en-tête manque : la première ligne doit être ---`]],
    ['an open front matter', { [page]: '---\ntitre: Les limites\n<p>a</p>' }, [`${page}:1: L'en-tête n'est pas fermé par une ligne ---`]],
    [
      'an unknown key',
      { [page]: '---\ntitre: Les limites\nauteur: x\n---\n<p>a</p>' },
      [`${page}:3: Clé inconnue : auteur (clés possibles : titre, intitule)`],
    ],
    ['a missing key', { [page]: '---\n---\n<p>a</p>' }, [`${page}:1: Clé manquante : titre (Le titre est requis)`]],
    [
      'a duplicate key',
      { [page]: '---\ntitre: Les limites\ntitre: Deux\n---\n<p>a</p>' },
      [`${page}:3: La clé titre est déjà donnée à la ligne 2`],
    ],
    ['an empty title', { [page]: '---\ntitre:\n---\n<p>a</p>' }, [`${page}:2: Le titre est requis`]],
    ['a short title', { [page]: '---\ntitre: ab\n---\n<p>a</p>' }, [`${page}:2: Le titre doit contenir au moins 3 caractères`]],
    [
      'a long title',
      { [page]: `---\ntitre: ${'a'.repeat(101)}\n---\n<p>a</p>` },
      [`${page}:2: Le titre ne doit pas dépasser 100 caractères`],
    ],
    [
      'an apostrophe in the title',
      { [page]: "---\ntitre: L'étude\n---\n<p>a</p>" },
      [`${page}:2: Le titre ne doit contenir que des lettres, des chiffres, des espaces, des tirets et des underscores`],
    ],
    ['no year', { [subject]: '---\ntitre: ENS\n---\na' }, [`${subject}:1: Clé manquante : annee (L'année est requise)`]],
    ['a year in words', { [subject]: '---\ntitre: ENS\nannee: 20x\n---\na' }, [`${subject}:3: L'année doit être un nombre entier`]],
    ['an old year', { [subject]: '---\ntitre: ENS\nannee: 1899\n---\na' }, [`${subject}:3: L'année doit être supérieure à 1900`]],
    [
      'a duration that is not a number',
      { [subject]: '---\ntitre: ENS\nannee: 2020\nduree: 3 h\n---\na' },
      [`${subject}:4: La durée doit être un nombre entier de minutes`],
    ],
    [
      'too many minutes',
      { [subject]: '---\ntitre: ENS\nannee: 2020\nduree: 601\n---\na' },
      [`${subject}:4: La durée doit être comprise entre 1 et 600 minutes`],
    ],
    ['a year to come', { [subject]: '---\ntitre: ENS\nannee: 2026\n---\na' }, [`${subject}:3: L'année ne peut pas dépasser 2025`]],
    [
      'a duplicate number',
      { 'ens/maths/lecons/03-b.md': `${head}a` },
      ['ens/maths/lecons/03-limites.html:1: Le numéro 03 est déjà celui de 03-b.md'],
    ],
    [
      'a duplicate item key',
      { 'ens/maths/lecons/04-limites.md': `${head}a` },
      ['ens/maths/lecons/04-limites.md:1: La clé limites est déjà celle de 03-limites.html'],
    ],
    [
      'a bad name',
      { 'ens/maths/lecons/Deux.md': `${head}a` },
      ['ens/maths/lecons/Deux.md:1: Le nom doit être NN-nom.md, .html, .docx, .odt, .xml, .gift ou .txt, avec a-z, 0-9 et -'],
    ],
    ['an unknown file', { 'ens/maths/lecons/notes.ods': 'a' }, ['ens/maths/lecons/notes.ods:1: Fichier inconnu']],
    ['a file too many above', { 'ens/a.txt': 'a', 'b.txt': 'b' }, ['b.txt:1: Fichier inconnu', 'ens/a.txt:1: Fichier inconnu']],
    [
      'a surplus cell',
      { [lesson]: `${head}${shows}\n| a |\n|---|\n| b |\n| c | d |` },
      [`${lesson}:10: Cette ligne d'un tableau a plus de cellules que son en-tête (un | dans une cellule s'écrit \\|)`],
    ],
    ['a note too many', { [lesson]: `${head}${shows}\n[^1]: a` }, [`${lesson}:7: Note que rien n'appelle : [^1]`]],
    [
      'a surplus address',
      { [lesson]: `${head}${shows}\n[a]: https://a.cm` },
      [`${lesson}:7: Adresse dont aucun lien ne se sert : [a]: https://a.cm`],
    ],
    [
      'an unknown folder',
      { 'ens/maths/devoirs/01-a.md': 'a' },
      ['ens/maths/devoirs:1: Dossier inconnu : une discipline contient lecons, exercices, sujets, questions'],
    ],
    ['a folder without its file', { 'ens/maths/discipline.md': null }, ['ens/maths/discipline.md:1: Fichier manquant : discipline.md']],
    ['an unused image', { 'ens/maths/lecons/autre.png': PNG }, ["ens/maths/lecons/autre.png:1: Image qu'aucun texte ne montre"]],
    [
      'not UTF-8',
      { [page]: Buffer.concat([Buffer.from('---\ntitre: Les limites\n---\n<p>\n'), Buffer.from([0xe9, 10])]) },
      [`${page}:5: Le fichier n'est pas en UTF-8`],
    ],
    ['NUL', { [page]: '---\ntitre: Les limites\n---\n<p>a</p>\n<p>\0</p>' }, [`${page}:5: Caractère NUL interdit`]],
    [
      'a missing image',
      { [lesson]: `${head}a\n${shows}\nb ![c](absente.png) d` },
      [`${lesson}:8: Image absente : absente.png n'est pas à côté du texte`],
    ],
    ['a broken image', { 'ens/maths/lecons/courbe.png': PNG.subarray(0, 40) }, [`${lesson}:6: Image illisible : courbe.png`]],
    ['a false image', { 'ens/maths/lecons/courbe.png': 'GIF89a' }, [`${lesson}:6: Le contenu de courbe.png n'est pas une image png`]],
    [
      'a big image',
      { 'ens/maths/lecons/courbe.png': Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)]) },
      [`${lesson}:6: Image trop grosse : courbe.png (2 Mo au maximum)`],
    ],
    [
      'a cover of the wrong type',
      { 'ens/prepa.md': '---\nnom: ENS\nprix: 1\npublie: non\nimage: a.gif\n---\na', 'ens/couverture.png': null, 'ens/a.gif': 'GIF89a' },
      ["ens/prepa.md:5: Type d'image refusé : a.gif (png, jpg, jpeg)"],
    ],
    [
      'a cover that an upload would refuse',
      { 'ens/prepa.md': '---\nnom: ENS\nprix: 1\npublie: non\nimage: couverture.png\n---\na', 'ens/couverture.png': wide },
      ["ens/prepa.md:5: Image refusée : couverture.png. L'image est trop grande : 9 000 × 10 pixels. Réduisez-la à 8 000 × 8 au plus."],
    ],
    [
      'an image without a text alternative',
      { [lesson]: `${head}a\n\n![](courbe.png)` },
      [`${lesson}:6: Le texte de l'image est vide : courbe.png (il dit ce que l'image montre)`],
    ],
    [
      'an external image',
      { [lesson]: `${head}![a](../courbe.png)${shows}` },
      [`${lesson}:4: Image refusée : ../courbe.png (un fichier png, jpg, gif ou webp à côté du texte, nommé avec a-z, 0-9 et -)`],
    ],
    [
      'a caption within a line',
      { [lesson]: `${head}a ![a](courbe.png "b") c` },
      [`${lesson}:4: Une légende demande que l'image soit seule dans son paragraphe`],
    ],
    [
      'a faulty formula',
      { [lesson]: `${head}a\n\n- b\n- c\n  et $\\foo$${shows}` },
      [`${lesson}:8: Formule incorrecte : commande inconnue \\foo (caractère 1) : \\foo`],
    ],
    [
      'a faulty formula in a table',
      { [lesson]: `${head}${shows}\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | $\\foo$ |` },
      [`${lesson}:10: Formule incorrecte : commande inconnue \\foo (caractère 1) : \\foo`],
    ],
    [
      'a faulty formula on lines of its own',
      { [lesson]: `${head}${shows}\n$$\n\\foo\n$$\n` },
      [`${lesson}:7: Formule incorrecte : commande inconnue \\foo (caractère 1) : \\foo`],
    ],
    [
      'a faulty formula in HTML',
      { [page]: '---\ntitre: Les limites\n---\n<p\n>a &lt; b\n<em>c</em>\n$\\foo$</p>' },
      [`${page}:7: Formule incorrecte : commande inconnue \\foo (caractère 1) : \\foo`],
    ],
    [
      'a faulty formula after a long tag',
      { [page]: '---\ntitre: Les limites\n---\n<table><tr><td\n colspan="2"\n>$\\foo$</td></tr></table>' },
      [`${page}:6: Formule incorrecte : commande inconnue \\foo (caractère 1) : \\foo`],
    ],
    [
      'a wide cell',
      { [page]: '---\ntitre: Les limites\n---\n<table><tr><td colspan="101">a</td></tr></table>' },
      [`${page}:4: Valeur interdite pour colspan : 101`],
    ],
    [
      'a long text alternative',
      { [lesson]: `${head}a\n\n![${'a'.repeat(501)}](courbe.png)` },
      [`${lesson}:6: Le texte d'une image a 500 caractères au plus`],
    ],
    [
      'an unclosed formula',
      { [lesson]: `${head}a\nb $x c\nd${shows}` },
      [`${lesson}:5: Formule non fermée : un $ est seul sur sa ligne (écrivez \\$ pour le signe dollar)`],
    ],
    [
      'a first heading',
      { [lesson]: `${head}${shows}\n# Titre` },
      [`${lesson}:7: Un titre de niveau 1 n'est pas admis : le titre de la page en tient lieu, commencez à ## (h2)`],
    ],
    [
      'a heading too deep',
      { [lesson]: `${head}${shows}\n## A\n\n#### B` },
      [`${lesson}:9: Un titre de niveau 4 suit un titre de niveau 2 : il en manque un entre les deux`],
    ],
    [
      'a script',
      { [lesson]: `${head}${shows}\n> a\n>\n> <script>\n> alert(1)</script>\n\nb` },
      [`${lesson}:9: Élément inconnu : <script>`],
    ],
    [
      'a handler',
      { [page]: '---\ntitre: Les limites\n---\n\n<p>a</p>\n<p\n onclick="a()">b</p>' },
      [`${page}:6: Attribut inconnu : onclick dans <p>`],
    ],
    [
      'a style',
      { [page]: '---\ntitre: Les limites\n---\n<p>a <u style="color:red">b</u></p>' },
      [`${page}:4: Attribut inconnu : style dans <u>`],
    ],
    ['an iframe', { [lesson]: `${head}a <iframe src="x"></iframe>${shows}` }, [`${lesson}:4: Élément inconnu : <iframe>`]],
    [
      'a comment',
      { [lesson]: `${head}a\n\n<!-- corrige -->\n\nb${shows}` },
      [`${lesson}:6: Commentaire qui serait perdu : <!-- corrige -->`],
    ],
    [
      'a bad link',
      { [lesson]: `${head}a\n[b](javascript:a) c${shows}` },
      [`${lesson}:5: Lien refusé : javascript:a (http, https, mailto et tel seulement)`],
    ],
    ['a title on a link', { [lesson]: `${head}[b](https://a.cm "c")${shows}` }, [`${lesson}:4: Le titre d'un lien n'est pas admis`]],
    [
      'boxes',
      { [lesson]: `${head}${shows}\n- a\n- [ ] b` },
      [`${lesson}:8: Les cases à cocher ne sont admises que devant les choix d'une question`],
    ],
    [
      'boxes outside the questions of a text',
      { [lesson]: `${head}${shows}\nQuestion 1. Deux ?\n\n- [x] oui\n- [ ] non\n\nÀ faire :\n\n- [ ] lire\n- [x] relire` },
      [14, 15].map((line) => `${lesson}:${line}: Les cases à cocher ne sont admises que devant les choix d'une question`),
    ],
    [
      'question files that hold no question',
      {
        'ens/maths/lecons/04-aaa.gift': 'Du texte.',
        'ens/maths/lecons/05-bbb.txt': 'Du texte.',
        'ens/maths/lecons/06-c.xml': '<?xml version="1.0"?><quiz><question>',
      },
      [
        'ens/maths/lecons/04-aaa.gift:1: Aucune question reconnue : le fichier doit être au format GIFT',
        'ens/maths/lecons/05-bbb.txt:1: Aucune question reconnue : le fichier doit être au format AMC-TXT, Aiken ou GIFT',
        'ens/maths/lecons/06-c.xml:1: Ce fichier Moodle XML est incomplet ou mal formé. Exportez-le de nouveau depuis Moodle, puis réessayez.',
      ],
    ],
    [
      'elements in wrong places',
      { [page]: '---\ntitre: Les limites\n---\n<p>a</p>\n<ul><li>a</li></ul><li>b</li>\n<td>c</td>' },
      [`${page}:4: Un élément n'est pas à sa place : 0 dans le fichier, 1 dans le document (table)`],
    ],
    ['an empty text', { [page]: '---\ntitre: Les limites\n---\n\n' }, [`${page}:4: Le texte est vide`]],
    ['a correction in a lesson', { [lesson]: `${head}a${shows}\n<!-- corrigé -->\nb` }, [`${lesson}:7: Une leçon n'a pas de corrigé`]],
    ['an empty correction', { [subject]: '---\ntitre: ENS\nannee: 2000\n---\na\n<!-- corrigé -->\n' }, [`${subject}:7: Le texte est vide`]],
    [
      'a price in words',
      { 'ens/prepa.md': '---\nnom: EN\nprix: 15 000\npublie: vrai\n---\n', 'ens/couverture.png': null },
      [
        'ens/prepa.md:2: Le nom doit contenir au moins 3 caractères',
        'ens/prepa.md:3: Le prix doit être un nombre entier de XAF, sans espace',
        'ens/prepa.md:4: La valeur de publie doit être oui ou non',
        'ens/prepa.md:6: La description est requise',
      ],
    ],
    [
      'no price',
      { 'ens/prepa.md': '---\nnom: ENS\nprix: 0\npublie: oui\n---\n\na', 'ens/couverture.png': null },
      ['ens/prepa.md:3: Le prix doit être positif'],
    ],
    [
      'a long description',
      { 'ens/maths/discipline.md': `---\nnom: Maths\n---\n\n${'a'.repeat(501)}` },
      ['ens/maths/discipline.md:5: La description ne doit pas dépasser 500 caractères (elle en a 501)'],
    ],
    [
      'several at once',
      { [lesson]: `${head}# A\n$\\foo$${shows}`, [subject]: '---\ntitre: a\nannee: 1\n---\n$' },
      [
        `${lesson}:4: Un titre de niveau 1 n'est pas admis : le titre de la page en tient lieu, commencez à ## (h2)`,
        `${lesson}:5: Formule incorrecte : commande inconnue \\foo (caractère 1) : \\foo`,
        `${subject}:2: Le titre doit contenir au moins 3 caractères`,
        `${subject}:3: L'année doit être supérieure à 1900`,
        `${subject}:5: Formule non fermée : un $ est seul sur sa ligne (écrivez \\$ pour le signe dollar)`,
      ],
    ],
  ];
  for (const [name, changes, faults] of cases) await t.test(name, async (t) => t.same(await faultsOf(t, changes), faults));
});
