import { glob, readFile } from 'node:fs/promises';
import t from 'tap';
import { createTestDatabase } from '../../../test/support/database.ts';
import { sql } from '../../../test/support/sql.ts';
import { stemOf } from './stem.ts';

const endings =
  ' e s es x eux euse euses ance iques ismes able istes atrice ateur ations logie usion ution ence ement ements ivement eusement ablement iquement if ive eaux aux issement amment emment ment ie ies ir ira irai iraient irais irait iras irent irez iriez irions irons iront is issaient issant issantes isse issent issez issions it ions ez iez er era erai eraient erais erez erions erons eront ee a ai aient ais ait ant ante antes as asse assent assiez assions ion ier iere enne onne ette elle eille y ye';

/** Words of the demonstration's texts, and made-up words with each ending that the stemmer handles. */
async function vocabulary(): Promise<string[]> {
  const words = new Set<string>();
  for await (const file of glob('demo/**/*.md')) {
    const text = (await readFile(file, 'utf8')).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
    for (const [word] of text.matchAll(/[a-z]{2,}/g)) words.add(word);
  }
  for (const beginning of [
    'port',
    'fin',
    'gen',
    'princip',
    'aim',
    'quali',
    'jou',
    'nat',
    'vivac',
    'compar',
    'relat',
    'appell',
    'essay',
    'organis',
    'parl',
    'tap',
    'coll',
    'eu',
    'constitu',
  ])
    for (const ending of endings.split(' ')) words.add(beginning + ending);
  return [...words];
}

t.test("returns the same stems as PostgreSQL's French stemmer", async (t) => {
  const { url } = await createTestDatabase(t);
  const words = await vocabulary();
  t.ok(words.length > 4000, `${words.length} words`);
  const rows = await sql<{ word: string; stem: string }>(
    url,
    `select word, lexemes[1] as stem from unnest($1::text[]) word, lateral (select ts_lexize('french_stem', word) as lexemes) l where cardinality(lexemes) > 0`,
    [words],
  );
  t.same(
    rows.filter(({ word, stem }) => stemOf(word) !== stem).map(({ word, stem }) => `${word}: ${stem}, not ${stemOf(word)}`),
    [],
  );
});
