import t from 'tap';
import { itemKinds, labelOf } from '../../src/shared/item-kinds.ts';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import { attachmentFault } from './files/file-faults.ts';
import { importFault } from './import/import-fault.ts';
import { withChoice } from './import/mend-question.ts';
import { hasCorrectionApart, mergeImport } from './import/merge-import.ts';
import { bodyOf, draftedTexts } from './items/item-body.ts';
import { htmlOf, type VersionSummary } from './items/records.ts';
import { readSelection, writeSelection } from './selection.ts';
import { versionLines } from './versions/version-lines.ts';

t.test('the query string selects a tab and an item', async (t) => {
  t.same(readSelection('?type=pastExam&item=12'), { kind: 'pastExam', item: 12 });
  t.same(readSelection('?type=exercise'), { kind: 'exercise', item: null });
  for (const search of ['', '?type=video&item=3', '?item=3']) t.same(readSelection(search), { kind: 'course', item: null }, search);
  for (const item of ['0', '-1', '1.5', 'x', '12345678901']) t.equal(readSelection(`?type=course&item=${item}`).item, null, item);
  for (const selection of [
    { kind: 'course', item: 7 },
    { kind: 'pastExam', item: null },
  ] as const)
    t.same(readSelection(writeSelection(selection)), selection);
});

t.test('each kind of item has its own label, texts and request body', async (t) => {
  t.same(
    itemKinds.map((kind) => labelOf(kind, { numero_page: 2, annee: 2019 })),
    ['Leçon 2', 'Exercice 2', 'Sujet 2019', 'Série 2'],
  );
  t.same([htmlOf({ enonce: '<p>E</p>' }, 'contenu'), htmlOf({ contenu: '<p>C</p>', corrige: null }, 'corrige')], ['<p>E</p>', '']);
  const typed = { titre: 'T', intitule: 'T : le tout', annee: '2020', duree: '180', bareme: '1 ; -0,25 ; 0' };
  const texts = { contenu: { type: 'doc' }, corrige: null };
  t.same(bodyOf('course', typed, texts), { titre: 'T', intitule: 'T : le tout', contenu: { type: 'doc' } });
  t.same(bodyOf('course', typed, { ...texts, corrige: { type: 'doc' } }), {
    titre: 'T',
    intitule: 'T : le tout',
    contenu: { type: 'doc' },
  });
  t.same(bodyOf('exercise', typed, texts), { titre: 'T', intitule: 'T : le tout', duree: '180', enonce: { type: 'doc' }, corrige: null });
  t.same(bodyOf('pastExam', typed, texts), {
    titre: 'T',
    intitule: 'T : le tout',
    annee: '2020',
    duree: '180',
    contenu: { type: 'doc' },
    corrige: null,
  });
  t.same(bodyOf('quiz', typed, texts), {
    titre: 'T',
    intitule: 'T : le tout',
    duree: '180',
    bareme: '1 ; -0,25 ; 0',
    contenu: { type: 'doc' },
  });
});

t.test('a correction that an earlier release separated from a lesson is appended to the text again', async (t) => {
  const contenu = { type: 'doc', content: [1] };
  const corrige = { type: 'doc', content: [2] };
  t.same(draftedTexts('course', contenu, corrige), { document: { type: 'doc', content: [1, 2] }, corrige: null });
  t.same(draftedTexts('course', contenu, null), { document: contenu, corrige: null });
  t.same(draftedTexts('exercise', contenu, corrige), { document: contenu, corrige });
});

t.test('files are checked before they are sent', async (t) => {
  t.equal(importFault({ name: 'Cours.DOCX', size: 10 * 1024 * 1024 }), null);
  t.equal(importFault({ name: 'cours.md', size: 10 * 1024 * 1024 + 1 }), 'Ce fichier dépasse 10 Mo.');
  for (const name of ['Cours.DOCX', 'cours.odt']) {
    t.equal(importFault({ name, size: 200 * 1024 * 1024 }), null, `${name}, whose photographs may be reduced`);
    t.match(importFault({ name, size: 200 * 1024 * 1024 + 1 }), /dépasse 200 Mo/, name);
  }
  for (const name of ['quiz.xml', 'quiz.gift', 'quiz.TXT']) t.equal(importFault({ name, size: 1 }), null, name);
  t.match(importFault({ name: 'cours.pptx', size: 1 }), /Word \(\.docx\), LibreOffice/);
  t.match(importFault({ name: 'cours.PDF', size: 1 }), /Joignez-le comme document, ou importez le fichier \.docx/);
  t.match(importFault({ name: 'Cours.doc', size: 1 }), /Enregistrez-le au format \.docx/);
  t.match(importFault({ name: 'cours.rtf', size: 1 }), /Enregistrez-le au format \.docx/);
  t.equal(await attachmentFault(new File(['%PDF-1.7\n'], 'a.pdf')), null);
  t.equal(await attachmentFault(new File(['<html>'], 'a.pdf')), 'Ce fichier doit être un document PDF.');
});

t.test('a choice of an imported question is marked right or wrong, and its kind follows', async (t) => {
  const choice = (text: string, right: boolean) => ({
    type: 'question_choice',
    attrs: { id: null, right },
    content: [{ type: 'text', text }],
  });
  const statement = { type: 'question_statement' };
  const question = (kind: string, ...rights: boolean[]) => ({
    type: 'question',
    attrs: { kind },
    content: [statement, ...rights.map((right, index) => choice(String(index), right))],
  });
  const prose = { type: 'paragraph' };
  const before = { type: 'doc', content: [prose, question('one', true, false, false), question('one', false, false)] };
  const both = withChoice(before, { place: 1, index: 2, kind: 'one' }, true);
  t.same(both.content, [prose, question('several', true, false, true), before.content[2]]);
  t.same(withChoice(both, { place: 1, index: 0, kind: 'one' }, false).content[1], question('one', false, false, true));
  const whole = { type: 'doc', content: [question('several', true, true)] };
  t.same(withChoice(whole, { place: 0, index: 1, kind: 'several' }, false).content[0], question('several', true, false));
});

t.test('an imported file replaces or follows the text, and its correction goes to the correction field if the item has one', async (t) => {
  const { doc, paragraph } = richTextSchema.nodes;
  const text = (...words: string[]) =>
    doc.create(
      null,
      words.map((word) => paragraph.create(null, word ? richTextSchema.text(word) : null)),
    );
  const now = { contenu: text('a'), corrige: text('') };
  const imported = { document: text('b').toJSON(), corrige: text('c').toJSON() };
  const merge = (from: typeof imported | { document: unknown; corrige: null }, field: 'contenu' | 'corrige', how: 'replace' | 'append') => {
    const { contenu, corrige } = mergeImport(now, from as typeof imported, { field, how });
    return [contenu.textContent, corrige.textContent];
  };
  t.same(merge(imported, 'contenu', 'append'), ['ab', 'c'], 'no empty block before the added text');
  t.same(merge(imported, 'contenu', 'replace'), ['b', 'c']);
  t.same(merge(imported, 'corrige', 'append'), ['a', 'bc']);
  t.same(merge(imported, 'corrige', 'replace'), ['a', 'bc'], 'a correction not read separately stays in the text');
  t.same(merge({ ...imported, corrige: null }, 'corrige', 'replace'), ['a', 'b']);
  t.equal(mergeImport(now, imported, { field: 'contenu', how: 'append' }).corrige.childCount, 1);
  t.same(
    (['course', 'exercise', 'pastExam'] as const).map((kind) => [hasCorrectionApart(kind, 'contenu'), hasCorrectionApart(kind, 'corrige')]),
    [
      [false, false],
      [true, false],
      [true, false],
    ],
  );
});

t.test('the lines of two versions always differ', async (t) => {
  const saved = (titre: string, at: string, longueur: number, current = false): VersionSummary => ({
    intitule: null,
    version: 1,
    titre,
    saved_at: `2026-11-${at}.000Z`,
    saved_by: null,
    current,
    longueur,
  });
  const versions = [
    saved('Suites', '21T13:32:59', 1_234_567, true),
    saved('Suites', '21T13:32:07', 1),
    saved('Limites', '21T13:31:07', 0),
    saved('Suites', '20T13:32:59', 20),
  ];
  t.same(
    versionLines(versions, new Date('2026-11-21T15:00:00Z')).map(({ moment, details }) => `${moment} - ${details}`),
    [
      '14:32:59 - 1 234 567 caractères',
      '14:32:07 - 1 caractère',
      '14:31 - « Limites », 0 caractère',
      '20 novembre 2026 à 14:32 - 20 caractères',
    ],
  );
});
