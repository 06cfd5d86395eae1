import t from 'tap';
import type { Control } from '../../bench/controls/control.ts';
import { controlFaults, idFaults, readRequirements, rowFaults } from './security.ts';

const here = 'scripts/checks/security.test.ts';
const control: Control = { file: here, from: ['const', 'here'].join(' '), to: '', test: here, title: 'rows are read' };
const known = { shown: control };
const row = { where: 'x', id: '1.1.1', asks: 'so', answer: 'so', takenAway: ['shown'], titles: ['rows are read'], test: here };

t.test('rows are read', async (t) => {
  const markdown = [
    '| Id | Asks |',
    '|---|---|',
    '| 1.2.3 | Names apart | done | `a`, `b` | `it holds` | `x.test.ts` |',
    '| what | else |',
  ];
  t.strictSame(readRequirements(markdown.join('\n')), [
    {
      where: 'docs/security.md:3',
      id: '1.2.3',
      asks: 'Names apart',
      answer: 'done',
      takenAway: ['a', 'b'],
      titles: ['it holds'],
      test: 'x.test.ts',
    },
  ]);
});

t.test('each requirement must have one row', async (t) => {
  t.same(idFaults(['1.1.1', '1.1.2'], { '1.1': 2 }), []);
  t.match(idFaults(['1.1.1', '1.1.1', '9.9.9'], { '1.1': 2 }), [/1\.1\.2 has no row/, /1\.1\.1 has two rows/, /no 9\.9\.9/]);
});

t.test('a row must have an existing test or a reason', async (t) => {
  t.same(rowFaults(row, known), []);
  t.same(rowFaults({ ...row, takenAway: [] }, known), []);
  t.same(rowFaults({ ...row, answer: 'Differs: so', takenAway: [], titles: [], test: undefined }, known), []);
  const faulty: [object, RegExp][] = [
    [{ test: undefined, takenAway: [] }, /neither a test nor a reason/],
    [{ test: undefined, takenAway: [], answer: 'Differs: ' }, /neither a test nor a reason/],
    [{ answer: 'Written: there' }, /a reason to have none/],
    [{ titles: [] }, /names no title/],
    [{ titles: [['rows are', 'rea'].join(' ')] }, /does not say rows are rea/],
    [{ test: 'gone.test.ts' }, /gone\.test\.ts does not exist/],
    [{ takenAway: ['unknown'] }, /no control is called unknown/],
    [{ titles: ['each number once'] }, /shown is shown by another test/],
    [{ asks: 'a b c d e f g h i j k' }, /1 to 10 words/],
  ];
  for (const [change, fault] of faulty) t.match(rowFaults({ ...row, ...change }, known)[0], fault);
});

t.test('a control must occur once in its source and be named by a row', async (t) => {
  const all = new Set(['shown']);
  t.same(controlFaults(known, all), []);
  t.match(controlFaults(known, new Set()), [/has no row/]);
  t.match(controlFaults({ shown: { ...control, from: ['no', 'such'].join(' '), to: '' } }, all), [/stands 0 times/]);
  t.match(controlFaults({ shown: { ...control, from: 't' } }, all)[0], /stands \d+ times/);
  t.match(controlFaults({ shown: { ...control, title: ['rows are', 'wri'].join(' ') } }, all), [/does not say/]);
  t.match(controlFaults({ shown: { ...control, to: control.from } }, all), [/is not taken away/]);
});
