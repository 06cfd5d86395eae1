import t from 'tap';
import { factsOf } from './state.ts';

const at = (text: string): number => Date.parse(`${text}+01:00`);
const copy = { updatedAt: at('2026-11-23T13:05'), endAt: at('2026-12-03T18:30'), disciplines: null };
const none = { pictures: 0, documents: 0 };
const now = at('2026-11-23T14:00');

t.test('the state line is a short list of facts', async (t) => {
  t.same(factsOf({ page: 'study', copies: [copy], isOffline: true, missing: none, waiting: 1, now }), [
    'Hors connexion',
    'copie gardée sur cet appareil',
    'mise à jour le 23 nov. à 13:05',
    'progression à envoyer (1 contenu)',
    "lisible jusqu'au 3 déc.",
  ]);
});

t.test('for several copies the state line shows the oldest update and the earliest end; an end within two days has its hour', async (t) => {
  const other = { updatedAt: at('2026-11-20T09:00'), endAt: at('2026-11-24T08:15'), disciplines: null };
  t.same(factsOf({ page: 'learner', copies: [copy, other], isOffline: true, missing: none, waiting: 2, now }), [
    'Hors connexion',
    'copies gardées sur cet appareil',
    'mises à jour le 20 nov. à 09:00',
    'progression à envoyer (2 contenus)',
    "lisibles jusqu'au 24 nov. à 08:15",
    'seulement ce qui est gardé ici',
  ]);
});

t.test('with network the state line has only what the reader should know of', async (t) => {
  const state = { copies: [copy], isOffline: false, missing: none, waiting: 1, now };
  t.same(factsOf({ ...state, page: 'study' }), []);
  t.same(factsOf({ ...state, page: 'study', missing: { pictures: 2, documents: 0 } }), ['Il manque 2 images']);
  t.same(factsOf({ ...state, page: 'learner' }), ['Seulement ce qui est gardé ici']);
});

t.test('missing files are counted', async (t) => {
  const facts = (pictures: number, documents: number) =>
    factsOf({ page: 'study', copies: [copy], isOffline: true, waiting: 0, missing: { pictures, documents }, now }).find((fact) =>
      /manque/.test(fact),
    );
  t.equal(facts(9, 0), 'il manque 9 images');
  t.equal(facts(1, 1), 'il manque 1 image et 1 document');
  t.equal(facts(0, 2), 'il manque 2 documents');
  t.equal(facts(0, 0), undefined);
});

t.test('without a copy, the state only says that there is no network', async (t) => {
  t.same(factsOf({ page: 'study', copies: [], isOffline: true, missing: none, waiting: 0, now }), ['Hors connexion']);
});

t.test('pages of a whole prepa say that only a part of it is kept', async (t) => {
  const state = { copies: [{ ...copy, disciplines: [1, 2] }], isOffline: true, missing: none, waiting: 0, now };
  for (const page of ['disciplines', 'search'] as const) t.equal(factsOf({ ...state, page }).at(-1), 'seulement les disciplines gardées');
  t.equal(factsOf({ ...state, page: 'study' }).at(-1), "lisible jusqu'au 3 déc.");
});
