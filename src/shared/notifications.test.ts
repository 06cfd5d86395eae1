import t from 'tap';
import { countByTab, selectNotifications, tabLabels } from './notifications.ts';

const list = [
  { id: 1, lu: false, message: 'Votre inscription à <a href="/user/prepa/1">École normale &amp; cie</a> est confirmée.' },
  { id: 2, lu: true, message: 'Votre paiement pour <strong>ENAM</strong> a échoué.' },
  { id: 3, lu: false, message: '1 nouveau contenu dans <strong>a &lt; b</strong>.' },
];
const ids = (tab: 'toutes' | 'non-lues' | 'lues', search: string) => selectNotifications(list, tab, search).map(({ id }) => id);

t.test('each tab has its notifications and count', async (t) => {
  t.same(ids('toutes', ''), [1, 2, 3]);
  t.same(ids('non-lues', '  '), [1, 3]);
  t.same(ids('lues', ''), [2]);
  t.same(countByTab(list), { toutes: 3, 'non-lues': 2, lues: 1 });
  t.same(
    tabLabels(list).map(({ label }) => label),
    ['Toutes (3)', 'Non lues (2)', 'Lues (1)'],
  );
  t.same(
    tabLabels(null).map(({ label }) => label),
    ['Toutes', 'Non lues', 'Lues'],
    'no counts for a list that could not be read',
  );
});

t.test('the search ignores differences of apostrophes, hyphens and superscripts', async (t) => {
  const one = [{ lu: false, message: 'Votre accès à <strong>L’année 2023‑2024 : CO₂</strong> se termine aujourd’hui.' }];
  for (const search of ["l'année", "AUJOURD'HUI", '2023-2024', '2023–2024', 'co2'])
    t.equal(selectNotifications(one, 'toutes', search).length, 1, search);
});

t.test('the search sees the text, without regard to case and accents, and no tag', async (t) => {
  t.same(ids('toutes', ' ecole NORMALE & '), [1]);
  t.same(ids('toutes', 'echoue'), [2]);
  t.same(ids('toutes', 'ÉCHOUÉ'), [2]);
  t.same(ids('non-lues', 'echoue'), []);
  t.same(ids('toutes', 'a < b'), [3]);
  t.same(ids('toutes', 'strong'), [], 'tags are not searched');
  t.same(ids('toutes', 'href'), []);
  t.same(ids('toutes', 'amp;'), []);
});
