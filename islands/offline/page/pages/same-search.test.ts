import { parseHTML } from 'linkedom';
import t from 'tap';
import { readQuery } from '../../../../src/shared/search/query.ts';
import { isLongEnough, searchLength, searchWords } from '../../../../src/shared/study/search-page.ts';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { keptPrepa } from '../../../../test/support/kept-prepa.ts';
import { type Random, seeded, seedOfRun } from '../../../../test/support/random.ts';
import { joinedNumbers, writtenInTwoWays } from '../../../../test/support/search-table.ts';
import { searchKept } from './search.ts';

// A search in a kept prepa finds the same items as the site's search, for any query.

const home = await createTestApp(t);

/** Creates a prepa with one item per text. Returns its two searches, on the site and on the device; both return positions in `texts`. */
async function searchesOf(texts: readonly string[]) {
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  for (const [place, contenu] of texts.entries())
    await createItem(home, discipline.id, { titre: `Fiche numéro${'a'.repeat(place + 1)}`, numeroPage: place + 1, contenu });
  const learners: { session: string }[] = [];
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 10);
  const kept = await keptPrepa(home, prepa, learner.id);
  const placeOf = (titre: string) => titre.length - 'Fiche numéro'.length - 1;
  let asked = 0;
  return {
    async onSite(q: string): Promise<number[]> {
      // Searches per minute are limited, so every 50 searches use another learner.
      if (asked % 50 === 0) {
        const another = await createLearner(home);
        await createEnrolment(home, another, prepa, 10);
        learners.unshift(another);
      }
      asked += 1;
      const query = new URLSearchParams({ q, prepa: String(prepa.id) });
      const places: number[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await visit(home.app, `/user/recherche?${query}&page=${page}`, learners[0]?.session);
        if (answer.statusCode !== 200) break;
        const { document } = parseHTML(answer.body);
        const titles = [...document.querySelectorAll('.result h3')].map((title) => placeOf(squeeze(title.textContent)));
        places.push(...titles);
        if (titles.length < 20) break;
      }
      return places.toSorted((one, other) => one - other);
    },
    /** Returns an item's text as shown on the page. */
    says: (place: number): string =>
      squeeze(parseHTML(`<body>${texts[place]?.replaceAll(/<(?:\/p|br)>/g, ' ')}</body>`).document.body.textContent),
    onDevice: (q: string): number[] =>
      searchKept(kept, q)
        .map(({ hit }) => placeOf(hit.titre))
        .toSorted((one, other) => one - other),
  };
}

for (const [name, table] of Object.entries({
  'numbers that signs or spaces join': joinedNumbers,
  'words with two spellings': writtenInTwoWays,
})) {
  t.test(`${name}: found on the site and on the device`, async (t) => {
    const { onSite, onDevice } = await searchesOf(table.map(({ says }) => `<p>${says}.</p>`));
    for (const [place, { says, found, notFound = [] }] of table.entries()) {
      for (const [where, search] of Object.entries({ onSite, onDevice })) {
        for (const q of [...found, says.replaceAll(/<[^>]*>/g, '').slice(0, 100)])
          t.ok((await search(q)).includes(place), `${where}: '${q}' finds '${says}'`);
        for (const q of notFound) t.notOk((await search(q)).includes(place), `${where}: '${q}' does not find '${says}'`);
      }
    }
  });
}

/** Parts of random texts and queries: words, numbers, and all signs that join words or look like such a sign. */
const alphabet = {
  words: [
    'loi',
    'île',
    'l',
    'd',
    'N',
    'qu',
    'presqu',
    'ONU',
    'SA',
    'et',
    'ou',
    'de',
    'œuvre',
    'ﬁn',
    'Écoles',
    'école',
    'vegetaux',
    'XIXe',
    'xixème',
    'covid',
    'H',
    'O',
    'M',
    'ndjamena',
    'ŋgɔn',
    'été',
    'E\u0301te',
    'αΣς',
  ],
  numbers: [
    '1',
    '2',
    '06',
    '96',
    '19',
    '131',
    '000',
    '12',
    '2023',
    '1er',
    '2ème',
    'H2O',
    'm²',
    'CO₂',
    '699',
    '237',
    '½',
    '５',
    'L131',
    '1e5',
    '0x1f',
  ],
  joins: [
    ' ',
    ' ',
    ' ',
    '-',
    "'",
    '’',
    'ʼ',
    '‐',
    '\u2011',
    '‒',
    '–',
    '—',
    '−',
    '\u00ad',
    '\u200b',
    '\u00a0',
    '\u202f',
    '.',
    '. ',
    '/',
    ',',
    ', ',
    ':',
    '_',
    '@',
    '%',
    '°',
    ' – ',
    '',
    '&',
    '<',
    "'' ",
    '\\',
    '*',
    '|',
    '!',
    '(',
    '“',
    '…',
  ],
  markup: ['<sup>2</sup>', '<sub>2</sub>', '<strong>fort</strong>', '</p><p>', '<br>', '<em>e</em>'],
};

const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;

function randomWriting(random: Random, pieces: number): string {
  let text = '';
  for (let count = 0; count < pieces; count += 1) {
    text += pick(random, random() < 0.6 ? alphabet.words : alphabet.numbers) + pick(random, alphabet.joins);
  }
  return text;
}

/** Returns random HTML as stored: text between tags. */
function randomHtml(random: Random): string {
  let html = '';
  for (let part = 0; part < 6; part += 1) {
    const text = randomWriting(random, 1 + Math.floor(random() * 6));
    html += text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') + (random() < 0.4 ? pick(random, alphabet.markup) : '');
  }
  return `<p>${html}</p>`;
}

const seed = seedOfRun();

t.test(`random texts and searches: the same items on the site and on the device (SEED=${seed})`, async (t) => {
  const random = seeded(seed);
  const texts = Array.from({ length: 40 }, () => randomHtml(random));
  const { onSite, onDevice, says } = await searchesOf(texts);
  const differing: unknown[] = [];
  const unfound: unknown[] = [];
  let found = 0;
  for (let turn = 0; turn < 400; turn += 1) {
    const place = Math.floor(random() * texts.length);
    const words = says(place).split(' ');
    const from = Math.floor(random() * words.length);
    const isPasted = random() < 0.5;
    const typed = isPasted
      ? words.slice(from, from + 1 + Math.floor(random() * 4)).join(' ')
      : randomWriting(random, 1 + Math.floor(random() * 3));
    const q = searchWords(typed).slice(0, searchLength.most);
    if (!isLongEnough(q)) continue;
    const [site, device] = [await onSite(q), onDevice(q)];
    found += site.length;
    if (String(site) !== String(device)) differing.push({ q, site, device });
    if (isPasted && typed.length < searchLength.most && readQuery(q).length > 0 && !site.includes(place))
      unfound.push({ q, says: says(place) });
  }
  t.same(differing, []);
  t.same(unfound, [], 'a query pasted from a text finds that text');
  t.ok(found > 400, `${found} found`);
});
