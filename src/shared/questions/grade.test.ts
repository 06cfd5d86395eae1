import t from 'tap';
import { type Given, isRight } from './grade.ts';
import { mayShuffle, shuffled } from './shuffle.ts';

const key = { kind: 'one' as const, right: ['b'], value: '', tolerance: '', unit: '', accepted: [] };

t.test('one or several right choices: exactly these', async (t) => {
  for (const [right, choices, expected] of [
    [['b'], ['b'], true],
    [['b'], ['a'], false],
    [['b'], [], false],
    [['b'], ['a', 'b'], false],
    [['a', 'c'], ['c', 'a'], true],
    [['a', 'c'], ['a', 'a', 'c'], true],
    [['a', 'c'], ['a'], false],
    [[], [], false],
  ] as const)
    t.equal(isRight({ ...key, kind: 'several', right: [...right] }, { choices: [...choices] }), expected, `${right} ${choices}`);
});

t.test('a number, with or without its unit, within the tolerance', async (t) => {
  const number = { ...key, kind: 'number' as const, value: '3,5', tolerance: '0,1', unit: 'm/s' };
  for (const [typed, expected] of [
    ['3,5', true],
    ['3.45 m/s', true],
    ['7/2', true],
    ['3,7', false],
    ['3,5 km', false],
    ['', false],
  ] as const)
    t.equal(isRight(number, { typed }), expected, typed);
});

t.test('a short text: case, accents, apostrophes, ligatures and spaces do not count', async (t) => {
  const text = { ...key, kind: 'text' as const, accepted: ["L'œuvre d'Ahidjo", 'Ahidjo'] };
  for (const [typed, expected] of [
    ['ahidjo', true],
    ['  AHIDJO ', true],
    ['l’oeuvre  d’ahidjo', true],
    ['Biya', false],
    ['', false],
  ] as const)
    t.equal(isRight(text, { typed }), expected, typed);
});

t.test("'Je ne sais pas' is wrong, and an answer of another form, too", async (t) => {
  for (const given of [{ skipped: true }, { typed: 'b' }] as Given[]) t.equal(isRight(key, given), false);
  t.equal(isRight({ ...key, kind: 'text', accepted: ['b'] }, { choices: ['b'] }), false);
});

t.test('an order depends on the seed only, and each order occurs', async (t) => {
  const items = ['a', 'b', 'c', 'd'];
  t.same(shuffled(items, 'x'), shuffled(items, 'x'));
  t.same([...shuffled(items, 'y')].sort(), items);
  const orders = new Map<string, number>();
  for (let seed = 0; seed < 2_400; seed += 1) {
    const order = shuffled(items, String(seed)).join('');
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  t.equal(orders.size, 24);
  t.ok(
    [...orders.values()].every((count) => count > 50 && count < 160),
    'about equally often',
  );
});

t.test('choices that refer to others keep their order', async (t) => {
  for (const text of ['Aucune de ces réponses', 'Toutes les réponses', 'Tous', 'Les deux', 'a et b', 'Réponse c', 'aucun'])
    t.equal(mayShuffle(['Paris', text]), false, text);
  for (const text of ['Une fonction', 'Le tout', 'L’a et le b.a.-ba', 'Yaoundé']) t.equal(mayShuffle(['Paris', text]), true, text);
});
