import t from 'tap';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { equationNative, five, storage, three } from '../../../../../test/support/mathtype.ts';
import { type Random, seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { mathTypeLatex } from './mathtype-latex.ts';

// Storages that are damaged, or made to exhaust the server: the result is LaTeX or null, and comes soon.

/** Time limit of one storage, in ms. An ordinary one takes less than 1. */
const limitMs = 1_000;

type Records = Parameters<typeof five.equation>[0];

const { chars, line, template, matrix, pile } = five;
const sound = [
  five.equation([
    line(chars('x+', 3), template(11, 0, line(chars('a')), line(chars('b'))), template(1, 3, line(chars('y')))),
    pile(1, line(matrix(1, 2, 2, [0, 0], line(chars('1', 8)), line(chars('2', 8)))), line(chars('cos', 2))),
  ]),
  three.equation([three.chars('u', 3, 2), 6, 5, 0, three.template(29, 1, three.line(three.chars('k')), three.empty, three.empty)]),
];

function isSoon(bytes: Buffer): boolean {
  const start = performance.now();
  const read = mathTypeLatex(bytes);
  return performance.now() - start < limitMs && (read === null || read.latex !== '');
}

t.test('a storage cut off at any length, or with any changed bytes, is read or refused', (t) => {
  for (const bytes of sound) {
    t.ok(mathTypeLatex(bytes), 'unchanged, it is read');
    for (let length = 0; length < bytes.length; length += 1) if (!isSoon(bytes.subarray(0, length))) t.fail(`cut at ${length}`);
  }
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const runs = isLongForm ? 100_000 : 5_000;
  for (let run = 0; run < runs; run += 1) {
    const bytes = changed(sound[run % sound.length] as Buffer, random);
    if (!isSoon(bytes)) t.fail(`SEED=${seed}, run ${run}: ${bytes.toString('hex')}`);
  }
  t.end();
});

/** Returns a copy with one to eight changed bytes, most of them in the tables or in the equation. */
function changed(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const pick = (max: number) => Math.floor(random() * max);
  const equation = copy.indexOf(Buffer.from([28, 0, 0, 0, 2, 0]));
  for (let left = 1 + pick(8); left > 0; left -= 1) {
    const at = random() < 0.6 ? equation + pick(200) : random() < 0.5 ? pick(80) : pick(copy.length);
    copy[Math.min(at, copy.length - 1)] = random() < 0.3 ? (random() < 0.5 ? 0xff : 0) : pick(256);
  }
  return copy;
}

/** Returns tables within brackets, in tables within brackets. */
const nested = (levels: number, content: Records): Records =>
  levels === 0 ? content : line(template(1, 3, line(matrix(0, 1, 2, [0, 0], nested(levels - 1, content), line(chars('b'))))));

t.test('a storage made to exhaust the server is refused soon', (t) => {
  const repeated = (count: number, ...bytes: number[]) => Array.from({ length: count }, () => bytes).flat();
  const cycle = Buffer.from(sound[0] as Buffer);
  for (let at = 512; at < 1024; at += 4) cycle.writeUInt32LE(at === 512 ? 0xfffffffd : 1, at);
  const furtherTables = Buffer.from(sound[0] as Buffer);
  furtherTables.writeUInt32LE(3, 68);
  furtherTables.writeUInt32LE(3, 512 * 5 - 4);
  const hugeSize = Buffer.from(sound[0] as Buffer);
  hugeSize.writeUInt32LE(0xfffffff0, 1024 + 128 + 120);
  const mtef = (...records: number[]) => storage(equationNative(Buffer.from([5, 1, 0, 6, 0, 0, 0, ...records])));
  const cases: [string, Buffer][] = [
    ['a chain of sectors that is a circle', cycle],
    ['a chain of tables that is a circle', furtherTables],
    ['an enormous stream', hugeSize],
    ['lines in lines', mtef(...repeated(10_000, 1, 0))],
    ['fractions in fractions', mtef(...repeated(2_000, 1, 0, 3, 0, 11, 0, 0))],
    ['tables in brackets in tables', five.equation(nested(14, chars('a')))],
    ['records without number', mtef(1, 0, ...repeated(15_000, 2, 0, 131, 0x61, 0))],
    ['sizes without number', mtef(...repeated(25_000, 10))],
    ['fonts without number', mtef(...repeated(10_000, 17, 0, 0x61, 0))],
    ['a name without end', mtef(17, 0, ...repeated(5_000, 0x61))],
    ['enormous counts', mtef(18, 0, 255, ...repeated(400, 0xff), 255)],
    ['an enormous matrix', mtef(1, 0, 5, 0, 1, 1, 1, 255, 255, ...repeated(128, 0), ...repeated(4_000, 1, 1), 0, 0)],
    ['a storage that is too large', Buffer.concat([sound[0] as Buffer, Buffer.alloc(1_000_000)])],
  ];
  for (const [name, bytes] of cases) t.ok(isSoon(bytes), name);
  for (const name of ['fractions in fractions', 'sizes without number', 'a storage that is too large'])
    t.equal(mathTypeLatex(cases.find(([found]) => found === name)?.[1] as Buffer), null, name);
  t.end();
});
