/**
 * Measures how long several learners at once take to download the sizes and texts of a large prepa, just after one or all of its items
 * have changed, and how much slower pages become for readers meanwhile.
 */
import { brotliCompressSync, constants } from 'node:zlib';
import { sql } from '../../test/support/sql.ts';
import type { BurstResult, BurstTurn } from '../support/burst-client.ts';
import { startClient } from '../support/client-process.ts';
import { composeTexts, enrolEverybody, insertDisciplines, insertLessons, insertPrepa, sessionCookie } from '../support/fixtures.ts';
import { median, p95, type Report, spread } from '../support/report.ts';
import type { Site } from '../support/site.ts';
import type { Workshop } from '../support/workshop.ts';

const items = 3_000;
const disciplineCount = 10;
/** HTML size of an item, in bytes. */
const itemBytes = 6_500;
const readers = 5;
/** Number of learners who download the sizes, then the texts. */
const keepers = 3;
const rounds = 5;
const idleMs = 4_000;
/** Minimum time that readers continue, in ms, so that a fast download leaves enough pages for a median. */
const busyMs = 2_000;

export async function measureDownloads(workshop: Workshop, site: Site, report: Report): Promise<void> {
  report.section(`Sizes and texts of a prepa of ${items} items, asked for by ${keepers} learners at once, while ${readers} learners read`);
  const { prepa, lesson } = await insertLargePrepa(site);
  const client = startClient<BurstTurn, BurstResult>(new URL('../support/burst-client.ts', import.meta.url));
  workshop.teardown(client.stop);
  const pages = site.lessons.slice(0, readers).map((each, index) => ({ path: site.studyPath(each), cookie: sessionCookie(index + 1) }));
  // A learner may download texts 30 times per hour, so each turn uses new learners.
  let learner = readers;
  const asked = () =>
    Array.from({ length: keepers }, () => {
      learner += 1;
      return { paths: ['tailles', 'textes'].map((what) => `/api/hors-ligne/prepas/${prepa}/${what}`), cookie: sessionCookie(learner) };
    });
  const turn = (downloads: BurstTurn['downloads'], durationMs: number) =>
    client.run({ origin: site.origin, pages, notifications: [], downloads, durationMs });
  // Warm-up: first requests compile code, plan statements and fill caches.
  await turn(asked(), idleMs);

  const cases = {
    'one item saved': () =>
      sql(site.databaseUrl, `update item set contenu = contenu || '<p>Une phrase.</p>', version = version + 1 where id = $1`, [lesson]),
    'all items imported anew': () =>
      sql(
        site.databaseUrl,
        'update item set version = version + 1 where discipline_id in (select id from discipline where prepa_id = $1)',
        [prepa],
      ),
  };
  for (const [name, change] of Object.entries(cases)) {
    const found: { ratio: number; idle: number; busy: number; longest: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const idle = p95((await turn([], idleMs)).pageTimes);
      await change();
      const { pageTimes, downloadTimes } = await turn(asked(), busyMs);
      found.push({ ratio: p95(pageTimes) / idle, idle, busy: p95(pageTimes), longest: Math.max(...downloadTimes) });
    }
    const of = (what: keyof (typeof found)[number]) => found.map((each) => each[what]);
    report.budget({
      what: `p95 of the study page, ${name}`,
      measured: median(of('ratio')),
      limit: 1.5,
      unit: '× idle',
      detail: `${spread(of('ratio'))}; ${median(of('idle')).toFixed(1)} ms idle, ${median(of('busy')).toFixed(1)} ms beside it`,
    });
    report.fact(
      'sizes and texts together, slowest of the three',
      `median ${(median(of('longest')) / 1000).toFixed(2)} s, ${spread(of('longest').map((ms) => ms / 1000))}`,
    );
  }
  const answer = await fetch(`${site.origin}/api/hors-ligne/prepas/${prepa}/textes`, {
    headers: { cookie: sessionCookie(learner + 1), accept: 'application/json', 'accept-encoding': 'identity' },
  });
  const text = Buffer.from(await answer.arrayBuffer());
  const zipped = await fetch(answer.url, {
    method: 'GET',
    headers: { cookie: sessionCookie(learner + 2), accept: 'application/json', 'accept-encoding': 'gzip' },
  });
  const octets = Number(zipped.headers.get('content-length'));
  await zipped.arrayBuffer();
  const began = performance.now();
  const best = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  });
  report.fact(
    'bytes of its texts',
    `${(octets / 1e6).toFixed(2)} MB of ${(text.length / 1e6).toFixed(1)}; Brotli at its best ${(best.length / 1e6).toFixed(2)} MB in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
}

/**
 * Shuffles the words of the texts. Otherwise the demonstration's paragraphs would repeat in every hundredth item and compress better than
 * real content.
 */
function unlike(texts: string[]): string[] {
  let state = 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return texts.map((html) =>
    html.replaceAll(/>([^<]{20,})</g, (_, text: string) => {
      const words = text.split(' ');
      for (let at = words.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [words[at], words[other]] = [words[other] ?? '', words[at] ?? ''];
      }
      return `>${words.join(' ')}<`;
    }),
  );
}

async function insertLargePrepa({ databaseUrl }: Site): Promise<{ prepa: number; lesson: number }> {
  const prepa = await insertPrepa(databaseUrl, 'Préparation de trois mille contenus');
  const disciplines = await insertDisciplines(databaseUrl, prepa, disciplineCount);
  await enrolEverybody(databaseUrl, prepa);
  const texts = unlike(
    await composeTexts(
      databaseUrl,
      Array.from({ length: items }, () => itemBytes),
    ),
  );
  const share = items / disciplineCount;
  let lesson = 0;
  for (const [index, discipline] of disciplines.entries()) {
    const [first] = await insertLessons(databaseUrl, discipline, texts.slice(index * share, (index + 1) * share));
    lesson = first?.id ?? lesson;
  }
  await sql(databaseUrl, 'vacuum analyze item');
  return { prepa, lesson };
}
