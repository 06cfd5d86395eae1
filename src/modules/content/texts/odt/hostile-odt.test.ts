import JSZip from 'jszip';
import t from 'tap';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { cell, formula, h, item, list, note, odt, p, picture, row, span, table } from '../../../../../test/support/odt-file.ts';
import { type Random, seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { imported } from '../../../../../test/support/word-file.ts';
import { AppError } from '../../../../platform/errors.ts';

// Files that are damaged, or made to exhaust the server: each is read, or refused with a message, and soon.

/** Time limit of one file on a busy machine, in ms. */
const limitMs = 20_000;

/** Returns the message of the refusal; null when the file is read. Any other error, or a slow import, is thrown. */
async function outcome(bytes: Buffer): Promise<string | null> {
  const start = performance.now();
  const message = await imported(bytes).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AppError && error.status === 400) return error.message;
      throw error;
    },
  );
  const took = performance.now() - start;
  if (took > limitMs) throw new Error(`${Math.round(took)} ms`);
  return message;
}

t.test('bombs, repetitions, nesting and entities are refused or bounded', async (t) => {
  const repeated = (what: string) => ` table:number-${what}-repeated="9999999"`;
  const nested = (open: string, close: string, levels: number) => open.repeat(levels) + p('a') + close.repeat(levels);
  const entities = '<!DOCTYPE a [<!ENTITY b "c">]><office:document-content>&b;</office:document-content>';
  const refused: [string, Parameters<typeof odt>[0], RegExp][] = [
    ['cells', { body: table(row(cell(p('a'), repeated('columns')))) }, /trop long/],
    ['rows', { body: table(row(cell(p('a')), repeated('rows'))) }, /trop long/],
    [
      'cells of rows',
      {
        body: table(row(cell('', ' table:number-columns-repeated="50"').repeat(20) + cell(p('a')), ' table:number-rows-repeated="19999"')),
      },
      /trop long/,
    ],
    ['levels', { body: nested('<text:section>', '</text:section>', 5_000) }, /trop compliqué/],
    ['lists', { body: nested('<text:list><text:list-item>', '</text:list-item></text:list>', 1_000) }, /trop/],
    [
      'tables',
      { body: nested('<table:table><table:table-row><table:table-cell>', '</table:table-cell></table:table-row></table:table>', 60) },
      /niveaux/,
    ],
    ['paragraphs', { body: p('a').repeat(10_001) }, /trop long/],
    ['elements', { body: '<text:p/>'.repeat(410_000) }, /trop long/],
    ['entities', { body: '', files: { 'content.xml': entities } }, /illisible/],
    ['broken XML', { body: '<text:p' }, /illisible/],
    ['a bomb', { body: '', files: { 'content.xml': Buffer.alloc(20 * 1024 * 1024, ' ') } }, /trop long/],
  ];
  for (const [name, parts, message] of refused) t.match(await outcome(await odt(parts)), message, name);
  const read: [string, Parameters<typeof odt>[0]][] = [
    ['empty cells', { body: table(row(cell('', repeated('columns')), repeated('rows'))) + p('a') }],
    ['styles that are based on each other', { body: p('a', 'X'), files: { 'styles.xml': '<a/>' } }],
    ['spans', { body: table(row(cell(p('a'), ' table:number-columns-spanned="9999" table:number-rows-spanned="9999"'))) }],
    [
      'an entity in a formula',
      { body: p(`a${formula('O')}`), files: { 'O/content.xml': '<!DOCTYPE math [<!ENTITY b "c">]><math>&b;</math>' } },
    ],
    ['a large formula', { body: p(`a${formula('O')}`), files: { 'O/content.xml': `<math>${'<mi>x</mi>'.repeat(100_000)}</math>` } }],
    ['a deep formula', { body: p(`a${formula('O')}`), formulas: { O: `${'<mrow>'.repeat(250)}<mi>x</mi>${'</mrow>'.repeat(250)}` } }],
    ['spaces', { body: p('<text:s text:c="9999999"/>'.repeat(3_000)) }],
    ['a paragraph without an end', { body: '<text:p>' }],
    ['a picture that is none', { body: p(`a${picture('Pictures/a.png')}`), files: { 'Pictures/a.png': 'rien' } }],
  ];
  for (const [name, parts] of read) t.equal(await outcome(await odt(parts)), null, name);
});

t.test('a file with any changed bytes is read or refused', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const sound = await JSZip.loadAsync(
    await odt({
      body:
        h('Un') +
        p(`a${span('b', 'B')}${note('c')}${formula('O')}`) +
        list(item(p('d') + list(item(p('e')))) + item(p('f'), 4), 'L1') +
        table(row(`${cell(p('g'), ' table:number-columns-spanned="2"')}<table:covered-table-cell/>`)) +
        p(`<draw:frame><draw:text-box>${p('h')}</draw:text-box></draw:frame>`),
      formulas: { O: '<mfrac><mn>1</mn><mi>n</mi></mfrac>' },
    }),
  );
  const parts = await Promise.all(
    ['content.xml', 'styles.xml', 'O/content.xml'].map(
      async (name) => [name, (await sound.file(name)?.async('nodebuffer')) as Buffer] as const,
    ),
  );
  const runs = isLongForm ? 2_000 : 200;
  let wasRead = 0;
  for (let run = 0; run < runs; run += 1) {
    for (const [name, bytes] of parts) sound.file(name, random() < 0.6 ? changed(bytes, random) : bytes);
    const bytes = await sound.generateAsync({ type: 'nodebuffer', compression: 'STORE' });
    const whole = random() < 0.2 ? changed(bytes, random) : bytes;
    const message = await outcome(whole).catch((error: unknown) =>
      t.fail(`SEED=${seed}, run ${run}: ${error}`, { file: whole.toString('base64') }),
    );
    if (message === null) wasRead += 1;
  }
  t.ok(wasRead > 0, 'some are still read');
});

/** Returns bytes with a few of them replaced, removed or repeated. */
function changed(bytes: Buffer, random: Random): Buffer {
  const at = (limit: number) => Math.floor(random() * limit);
  let copy = Buffer.from(bytes);
  for (let times = 1 + at(4); times > 0; times -= 1) {
    const place = at(copy.length);
    const kind = at(3);
    if (kind === 0) copy[place] = at(256);
    else if (kind === 1) copy = Buffer.concat([copy.subarray(0, place), copy.subarray(place + at(40))]);
    else copy = Buffer.concat([copy.subarray(0, place + 30), copy.subarray(place)]);
  }
  return copy;
}
