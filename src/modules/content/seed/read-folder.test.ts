import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { read, YEAR } from '../../../../test/support/content-folder.ts';
import { documentFromJson } from '../../../shared/rich-text/document.ts';
import { serialise } from '../../../shared/rich-text/serialise.ts';
import { resolveImages } from './image-placeholders.ts';
import { readContentFolder } from './read-folder.ts';

t.test('a good folder becomes a plan', async (t) => {
  const { root, result } = await read(t);
  if ('faults' in result) return t.same(result.faults, []);
  const [prepa] = result.plan.prepas;
  t.match(prepa, {
    key: 'ens',
    nom: 'ENS Yaoundé',
    prix: 15000,
    isPublished: true,
    description: 'Première ligne.\n\nSeconde.',
    image: join(root, 'ens/couverture.png'),
  });
  const [discipline] = prepa?.disciplines ?? [];
  t.match(discipline, { key: 'maths', nom: 'Mathématiques', description: 'Suites et fonctions.', image: undefined });
  t.match(
    discipline?.items.map(({ kind, key, titre, numeroPage, annee }) => [kind, key, titre, numeroPage, annee]),
    [
      ['course', 'suites', 'Les suites', 1, undefined],
      ['course', 'limites', 'Les limites', 2, undefined],
      ['exercise', 'etude', 'Une étude', 1, undefined],
      ['pastExam', 'ens-2023', 'ENS 2023', 1, 2023],
    ],
  );
  const [lesson, limits, exercise] = discipline?.items ?? [];
  t.same(lesson?.images, [join(root, 'ens/maths/lecons/courbe.png')]);
  t.match(JSON.stringify(lesson?.contenu), '"src":"file:courbe.png"');
  t.throws(() => documentFromJson(lesson?.contenu), { name: 'RichTextError' }, 'a document with an unresolved image cannot be stored');
  const stored = new Map([['courbe.png', { src: '/media/content/a.webp', width: 640, height: 480 }]]);
  const html = (json: unknown) => serialise(documentFromJson(json), { formula: (latex) => latex });
  t.equal(
    html(resolveImages(lesson?.contenu as never, stored)),
    '<p>Texte avec <span class="formula" data-latex="u_n">u_n</span>.</p><figure><img src="/media/content/a.webp" alt="Une courbe" width="640" height="480" ' +
      'loading="lazy" decoding="async"><figcaption>La courbe de <span class="formula" data-latex="f">f</span></figcaption></figure>',
  );
  t.throws(() => resolveImages(lesson?.contenu as never, new Map()), /courbe\.png/);
  t.match(
    html(limits?.contenu),
    /^<p>Soit <span class="formula" data-latex="a">a<\/span>\.<\/p><div class="formula-block" data-latex="x\^2"/,
  );
  t.same([html(exercise?.contenu), html(exercise?.corrige)], ['<p>Énoncé.</p>', '<p>Corrigé.</p>']);
});

t.test('nothing outside the folder is read', async (t) => {
  const { root } = await read(t);
  const outside = join(root, '..', `outside-${process.pid}`);
  t.teardown(async () => (await import('node:fs/promises')).rm(outside, { recursive: true, force: true }));
  await mkdir(outside, { recursive: true });
  await writeFile(join(outside, 'a.md'), '---\ntitre: Secret\n---\na');
  await symlink(join(outside, 'a.md'), join(root, 'ens/maths/lecons/05-lien.md'));
  await symlink(outside, join(root, 'ailleurs'));
  await symlink(join(root, 'rien'), join(root, 'ens/rien'));
  const result = await readContentFolder(root, YEAR);
  t.same('faults' in result && result.faults.map(({ file, message }) => [file.replace(`${root}/`, ''), message]), [
    ['ailleurs', 'Lien symbolique refusé : il sort du dossier'],
    ['ens/maths/lecons/05-lien.md', 'Lien symbolique refusé : il sort du dossier'],
    ['ens/rien', 'Fichier illisible'],
  ]);
});

t.test('a missing folder is a fault, not an exception', async (t) => {
  t.same(await readContentFolder('nulle-part', YEAR), {
    faults: [{ file: 'nulle-part', line: 1, message: 'Dossier introuvable ou illisible' }],
  });
  t.match(await readContentFolder(fileURLToPath(import.meta.url), YEAR), { faults: [{ message: "Ce n'est pas un dossier" }] });
  const empty = t.testdir({});
  t.match(await readContentFolder(empty, YEAR), { faults: [{ message: 'Le dossier ne contient aucune préparation' }] });
});
