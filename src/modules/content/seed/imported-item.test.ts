import sharp from 'sharp';
import t from 'tap';
import { faultsOf, PNG, read } from '../../../../test/support/content-folder.ts';
import { shownBlocks } from '../../../../test/support/shown-questions.ts';
import { type DocxParts, docx, htmlOf, p, picture, r, style } from '../../../../test/support/word-file.ts';
import { resolveImages } from './image-placeholders.ts';

const photo = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#be0050' } })
  .jpeg()
  .toBuffer();

/** Returns the items of the base folder's discipline after these Word files are added to it. */
async function items(t: Parameters<typeof read>[0], files: Record<string, DocxParts>) {
  const made = await Promise.all(Object.entries(files).map(async ([name, parts]) => [`ens/maths/${name}`, await docx(parts)] as const));
  const { result, root } = await read(t, Object.fromEntries(made));
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  const warnings = result.warnings.map(({ file, message }) => [file.replace(`${root}/`, ''), message]);
  return { items: result.plan.prepas[0]?.disciplines[0]?.items ?? [], warnings };
}

t.test('Word files become lessons, exercises and past exams in their order', async (t) => {
  const { items: found, warnings } = await items(t, {
    'lecons/02-fonctions-affines.docx': { body: p(r('Avant')) + p(r('Corrigé'), style('Titre1')) + p(r('a')) },
    'exercices/02-td.docx': { body: p(r('Étude : une suite'), style('Titre')) + p(r('Énoncé')) + p(r('Corrigé')) + p(r('Réponse')) },
    'sujets/02-ens-2021.docx': { body: p(r('Sujet')), header: p(r('Lycée')) },
  });
  t.match(
    found.map(({ kind, key, titre, numeroPage, annee }) => [kind, key, titre, numeroPage, annee]),
    [
      ['course', 'suites', 'Les suites', 1],
      ['course', 'fonctions-affines', 'Fonctions affines', 2],
      ['course', 'limites', 'Les limites', 3],
      ['exercise', 'etude', 'Une étude', 1],
      ['exercise', 'td', 'Étude une suite', 2],
      ['pastExam', 'ens-2023', 'ENS 2023', 1, 2023],
      ['pastExam', 'ens-2021', 'Ens 2021', 2, 2021],
    ],
  );
  t.equal(htmlOf(found[1]?.contenu), '<p>Avant</p><h1>Corrigé</h1><p>a</p>', 'a lesson has no correction');
  t.same([htmlOf(found[4]?.contenu), htmlOf(found[4]?.corrige)], ['<p>Énoncé</p>', '<p>Réponse</p>']);
  t.match(warnings, [
    ['ens/maths/exercices/02-td.docx', /« Corrigé » est devenu le corrigé/],
    ['ens/maths/exercices/02-td.docx', /a été adapté/],
    ['ens/maths/sujets/02-ens-2021.docx', /en-tête/],
  ]);
});

t.test('pictures of a Word file are stored with the others, at the width shown in the document', async (t) => {
  const { items: found } = await items(t, {
    'lecons/02-photo.docx': {
      body: p(picture('i', { alt: 'Une photo', width: 300 })) + p(picture('i', { width: 5000 })) + p(picture('broken') + r('fin')),
      images: { i: 'media/a.jpg', broken: 'media/b.png' },
      files: { 'media/a.jpg': photo, 'media/b.png': PNG.subarray(0, 40) },
    },
  });
  const item = found[1];
  const [name] = [...(item?.embedded.keys() ?? [])];
  t.equal(item?.embedded.size, 1);
  t.same(item?.embedded.get(name as string), photo);
  t.match(JSON.stringify(item?.contenu), `"src":"file:${name}"`);
  const stored = new Map([[name as string, { src: '/media/content/a.webp', width: 1200, height: 600 }]]);
  t.equal(
    htmlOf(resolveImages(item?.contenu as never, stored, item?.embedded)),
    '<figure><img src="/media/content/a.webp" alt="Une photo" width="300" height="150"></figure>' +
      '<figure><img src="/media/content/a.webp" alt="" width="1200" height="600"></figure><p>fin</p>',
  );
});

t.test('a Word file that is not a valid item is a fault', async (t) => {
  const fault = async (name: string, content: Buffer) => (await faultsOf(t, { [name]: content })).join('\n');
  t.match(await fault('ens/maths/lecons/02-a.docx', Buffer.from('PK')), /02-a\.docx:1: Ce document Word est illisible/);
  t.match(await fault('ens/maths/sujets/02-bac.docx', await docx({ body: p(r('a')) })), /02-bac\.docx:1: L'année manque.*1900 à 2025/);
  t.match(await fault('ens/maths/lecons/02-vide.docx', await docx({ body: p('') })), /02-vide\.docx:1: Le texte est vide/);
  t.match(await fault('ens/maths/lecons/02-x.docx', await docx({ body: p(r('a')) })), /02-x\.docx:1: Le titre manque/);
  t.match(await fault('ens/maths/lecons/03-b.docx', await docx({ body: p(r('a')) })), /Le numéro 03 est déjà celui de 03-b\.docx/);
});

t.test('question files become items, and questions that cannot be asked are warnings', async (t) => {
  const { result, root } = await read(t, {
    'ens/maths/exercices/02-nombres-pairs.gift': 'Nombres pairs ? {~%50%2 ~%50%4 ~%-100%3}\n\nValeur de pi ? {#3.14:0.01}\n',
    'ens/maths/exercices/03-forces.txt': 'Title: Les forces\n\n* Unité de la force ?\n+ le newton\n- le joule\n',
    'ens/maths/exercices/04-fer.xml':
      '<?xml version="1.0"?><quiz><question type="shortanswer"><questiontext><text>Symbole du fer ?</text></questiontext><answer fraction="100"><text>Fe</text></answer></question></quiz>',
    'ens/maths/questions/01-avec-retrait.gift': 'Deux ? {=2 ~%-25%3 ~%-25%4}\n',
    'ens/maths/questions/02-sans-retrait.gift': 'Deux ? {=2 ~3}\n',
    'ens/maths/exercices/05-choix.md': '---\ntitre: Un choix\n---\nQuestion 1. Combien ?\n\na) un\nb) deux\n',
  });
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  const series = result.plan.prepas[0]?.disciplines[0]?.items.filter(({ kind }) => kind === 'quiz');
  t.match(series, [
    { titre: 'Avec retrait', bareme: { juste: 1, faux: -0.25, sans: 0 } },
    { titre: 'Sans retrait', bareme: { juste: 1, faux: 0, sans: 0 } },
  ]);
  const [, ...found] = result.plan.prepas[0]?.disciplines[0]?.items.filter(({ kind }) => kind === 'exercise') ?? [];
  t.same(
    found.map(({ titre, contenu }) => [titre, ...shownBlocks(contenu)]),
    [
      ['Nombres pairs', 'several Nombres pairs ? | *2 | *4 | 3', 'number Valeur de pi ? = 3,14 ± 0,01'],
      ['Les forces', 'one Unité de la force ? | *le newton | le joule'],
      ['Fer', 'text Symbole du fer ? = Fe'],
      ['Un choix', 'one Combien ? | un | deux'],
    ],
  );
  const mended = result.warnings.filter(({ message }) => message.includes('candidats'));
  t.same(
    mended.map(({ file, message }) => [file.replace(`${root}/`, ''), message]),
    [['ens/maths/exercices/05-choix.md', "Question 1 : aucun choix juste. Elle n'est pas montrée aux candidats."]],
  );
});
