import { parseHTML } from 'linkedom';
import t from 'tap';
import { seeded, seedOfRun } from '../../../test/support/random.ts';
import { randomDocument } from '../../../test/support/random-documents.ts';
import { documentFromDom } from '../rich-text/parse.ts';
import { serialise } from '../rich-text/serialise.ts';
import { withKeys, withoutKeys } from './question-keys.ts';

const formula = (latex: string) => `<math><mi>${latex.length}</mi></math>`;

t.test('a text without keys has statement and choices only', async (t) => {
  const { html, keys } = withoutKeys(
    '<p>Avant</p><section class="question" data-id="q00000000001" data-kind="one" data-points="2"><header><p>Qui ?</p></header><article data-id="c00000000001" data-right=""><p>Lui</p><aside><p>En effet.</p></aside></article><article data-id="c00000000002"><p>Elle</p></article><footer><p>Car oui.</p></footer></section>',
  );
  t.equal(
    html,
    '<p>Avant</p><section class="question" data-id="q00000000001" data-kind="one" data-points="2"><header><p>Qui ?</p></header><article data-id="c00000000001"><p>Lui</p></article><article data-id="c00000000002"><p>Elle</p></article></section>',
  );
  t.same(keys, [
    {
      id: 'q00000000001',
      kind: 'one',
      points: 2,
      right: ['c00000000001'],
      remarks: { c00000000001: '<p>En effet.</p>' },
      explanation: '<p>Car oui.</p>',
      value: '',
      tolerance: '',
      unit: '',
      accepted: [],
      usable: true,
    },
  ]);
});

t.test('keys taken from a random text and put back give the same text', async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  let next = 0;
  const nextId = (): string => {
    next += 1;
    return String(next).padStart(12, '0');
  };
  let questions = 0;
  for (let round = 0; round < 300; round += 1) {
    // Every question and choice has an id of its own, as after a save.
    const full = serialise(randomDocument(random), { formula }).replaceAll(
      /(<section class="question"| *<article)(?: data-id="[^"]*")?/g,
      (_whole, open) => `${open} data-id="${nextId()}"`,
    );
    const { html, keys } = withoutKeys(full);
    questions += keys.length;
    if (withKeys(html, keys) !== full) return t.equal(withKeys(html, keys), full, `SEED=${seed}, text ${round}`);
    if (/<aside>|<footer>|data-right|data-value|data-accepted/.test(html)) return t.fail(`a key is left, SEED=${seed}, text ${round}`);
    // A text without keys is a text of the schema, too.
    const bare = documentFromDom(parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body, 'exact');
    if (serialise(bare, { formula }) !== html) return t.equal(serialise(bare, { formula }), html, `SEED=${seed}, text ${round}`);
  }
  t.ok(questions > 50, `${questions} questions`);
});
