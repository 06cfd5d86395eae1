import t from 'tap';
import { missingRoom } from './room.ts';

const mega = 1024 * 1024;
const sizes = {
  prepa: { id: 1, nom: 'ENAM' },
  end: 0,
  textes: 60_000,
  images: { nombre: 1, octets: mega },
  documents: { nombre: 1, octets: 40 * mega },
  disciplines: [{ id: 7, nom: 'Droit', contenus: 4, textes: 60_000, images: mega, documents: 40 * mega }],
  distantes: 0,
  appareils: [],
};
const all = { disciplines: null, pictures: true, documents: true };

t.test('nothing is missing when the choice fits or the browser gives no estimate', async (t) => {
  t.equal(missingRoom(sizes, all, 0, { quota: 100 * mega, usage: 0 }), 0);
  t.equal(missingRoom(sizes, all, 0, {}), 0);
});

t.test('missing bytes shrink with a smaller choice and with bytes already kept', async (t) => {
  const tight = { quota: 20 * mega, usage: 15 * mega };
  const missing = missingRoom(sizes, all, 0, tight);
  t.ok(missing > 36 * mega && missing < 40 * mega, String(missing));
  t.equal(missingRoom(sizes, all, 30 * mega, tight), missing - 30 * mega);
  t.equal(missingRoom(sizes, { ...all, documents: false }, 0, tight), 0);
  t.equal(missingRoom(sizes, all, 0, { quota: 5 * mega, usage: 6 * mega }) > missing, true, 'usage above the quota');
});
