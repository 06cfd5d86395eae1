import t from 'tap';
import type { SaveAnswer } from '../items/calls.ts';
import { faultsOf } from '../items/item-fields.ts';
import type { Item, ItemSummary } from '../items/records.ts';
import { beginEdit, type EditEvent, type EditState, isModified, reduceEdit } from './edit-state.ts';
import { stateLine } from './state-line.ts';

const stored: ItemSummary = { id: 5, titre: 'Suites', intitule: null, numero_page: 1, version: 3, updated_at: '2026-11-21T13:32:00.000Z' };
const now = new Date('2026-11-21T15:00:00.000Z');
const run = (state: EditState, ...events: EditEvent[]): EditState => events.reduce(reduceEdit, state);
const typed = (value: string): EditEvent => ({ type: 'typed', field: 'titre', value });
const answer = (status: number, body: SaveAnswer['body'] = {}): SaveAnswer => ({ status, ok: status < 300, body });
const refused = (answer: SaveAnswer | null): EditEvent => ({
  type: 'refused',
  answer,
  failure: 'Erreur lors de la sauvegarde de la leçon',
});

t.test('the state line says whether and where the text is saved', async (t) => {
  const state = beginEdit(stored);
  t.equal(stateLine(state, true, now), 'Enregistré à 14:32', 'Africa/Douala');
  t.equal(stateLine(state, true, new Date('2026-11-23T08:00:00Z')), 'Enregistré le 21 novembre 2026 à 14:32');
  const modified = run(state, { type: 'texts', changed: true });
  t.equal(stateLine(modified, true, now), 'Modifications non enregistrées');
  t.equal(stateLine(modified, false, now), 'Hors connexion : votre texte est gardé sur cet appareil');
  t.equal(stateLine(run(modified, refused(null)), true, now), 'Hors connexion : votre texte est gardé sur cet appareil');
  t.equal(stateLine(run(modified, { type: 'sending' }), true, now), 'Enregistrement...');
  t.match(stateLine(run(modified, { type: 'unkept', unkept: true }), true, now), /ne garde pas de brouillon/);
});

t.test('a text is modified while it differs from the stored one, and not after typing it back', async (t) => {
  t.notOk(isModified(beginEdit(stored)));
  const state = run(beginEdit(stored), typed('Suites x'));
  t.ok(isModified(state));
  t.notOk(isModified(run(state, typed('Suites'))));
  t.ok(isModified(run(beginEdit(stored), { type: 'texts', changed: true })));
});

t.test('text typed while a save is in progress is not treated as saved', async (t) => {
  const sent = { titre: ' Limites ', intitule: '', annee: '', duree: '', bareme: '' };
  const saved: EditEvent = { type: 'saved', item: { ...stored, titre: 'Limites', version: 4 }, sent, remarks: ['Une image manque'] };
  const state = run(beginEdit(stored), typed(' Limites '), { type: 'sending' }, saved);
  t.same([state.titre, state.stored.version, state.sending, isModified(state)], ['Limites', 4, false, false]);
  t.same(state.remarks, ['Une image manque']);
  const more: EditEvent = { type: 'remarked', remarks: ['Un tableau manque'] };
  t.same(
    run(state, more, { type: 'remarks read', remarks: ['Une image manque'] }).remarks,
    ['Un tableau manque'],
    'not those that came later',
  );
  const further = run(beginEdit(stored), typed(' Limites '), { type: 'sending' }, typed('Limites et continuité'), saved);
  t.same([further.titre, isModified(further)], ['Limites et continuité', true]);
});

t.test('a failed save gives the reason and says where the text is kept', async (t) => {
  const state = run(beginEdit(stored), typed('Limites'), { type: 'sending' });
  t.match(run(state, refused(null)).problem, { what: 'offline', notice: { message: 'Erreur lors de la sauvegarde de la leçon' } });
  t.match(run(state, refused(answer(401, { message: 'Session expirée.' }))).problem, {
    what: 'failed',
    signedOut: true,
    notice: { message: 'Session expirée.', detail: 'Votre texte est gardé sur cet appareil.' },
  });
  t.match(run(state, refused(answer(503))).problem, { what: 'failed', signedOut: false });
  t.same(run(state, refused(answer(404))).problem, { what: 'gone' });
  const current = { ...stored, version: 4 } as Item;
  t.same(run(state, refused(answer(409, { current, changedBy: 'awa' }))).problem, { what: 'outdated', current, changedBy: 'awa' });
  const titre = { field: 'titre', message: 'Le titre est requis' };
  t.match(run(state, refused(answer(400, { errors: [titre] }))), { refused: { titre: 'Le titre est requis' }, problem: null });
  t.match(run(state, refused(answer(400, { errors: [titre, { field: 'contenu', message: 'Le texte est trop long.' }] }))).problem, {
    notice: { detail: 'Le texte est trop long. Votre texte est gardé sur cet appareil.' },
  });
  t.match(run(state, { type: 'unkept', unkept: true }, refused(answer(401, { message: 'Session expirée.' }))).problem, {
    notice: { detail: 'Votre texte est gardé dans cette page seulement.' },
  });
  for (const event of [refused(null), refused(answer(503)), refused(answer(404))]) {
    t.match(run(state, event), { titre: 'Limites', sending: false }, 'the typed title is still in the form');
  }
});

t.test('a draft keeps the version with which it began', async (t) => {
  const draft = { titre: 'Mon titre', annee: '', contenu: null, corrige: null, version: 2, at: 0 };
  const state = run(beginEdit(stored), { type: 'resumed', draft });
  t.same([state.titre, state.stored.version, isModified(state)], ['Mon titre', 2, true]);
  t.match(run(state, { type: 'taken', item: { ...stored, version: 5 } }), { titre: 'Suites', stored: { version: 5 }, problem: null });
});

t.test('title, year, duration and marking rule are checked', async (t) => {
  t.same(faultsOf('course', { titre: 'Suites', intitule: '', annee: '', duree: '', bareme: '' }, 2026), {});
  t.same(faultsOf('course', { titre: 'ab', intitule: '', annee: 'x', duree: '', bareme: '' }, 2026), {
    titre: 'Le titre doit contenir au moins 3 caractères',
  });
  t.same(faultsOf('pastExam', { titre: 'Sujet', intitule: '', annee: '2027', duree: '', bareme: '' }, 2026), {
    annee: "L'année ne peut pas dépasser 2026",
  });
  const duree = (typed: string) => faultsOf('exercise', { titre: 'Sujet', intitule: '', annee: '', duree: typed, bareme: '' }, 2026).duree;
  t.same(['', ' 90 ', '1', '600'].map(duree), [undefined, undefined, undefined, undefined]);
  t.same(['0', '601'].map(duree), Array(2).fill('La durée doit être comprise entre 1 et 600 minutes'));
  t.same(['1h', '-3', '1.5'].map(duree), Array(3).fill('La durée doit être un nombre entier de minutes'));
  const { bareme } = faultsOf('quiz', { titre: 'Série', intitule: '', annee: '', duree: '', bareme: '1 ; 1 ; 0' }, 2026);
  t.equal(bareme, 'Une réponse fausse vaut de −100 à 0 point');
});
