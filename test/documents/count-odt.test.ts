import t from 'tap';
import { cell, formula, h, item, list, note, odt, p, picture, row, span, table } from '../support/odt-file.ts';
import { countOdt } from './count-odt.ts';

t.test('counts the visible content of an .odt file', async (t) => {
  const counts = await countOdt(
    await odt({
      body:
        p('Titre du document', 'Title') +
        h('Un') +
        h('') +
        p(`${span('gras', 'B')} et ${span('2', 'Sup')}${note('b')}`) +
        list(item(p('a')) + item(p('b') + list(item(p('c'))))) +
        list(item(list(item(p('d'))))) +
        table(row(cell(p('e')) + cell(p('f')))) +
        '<text:tracked-changes><text:p>effacé</text:p></text:tracked-changes>' +
        p(`<text:a xlink:href="https://a.cm/">${span('g', 'U')}</text:a><text:a xlink:href="https://a.cm/">h</text:a>`) +
        p(`${formula('F1')}${picture('Pictures/a.png')}`),
      formulas: { F1: '<mi>x</mi>' },
    }),
  );
  t.same(counts, { headings: 1, listItems: { 1: 2, 2: 2 }, cells: 2, images: 1, links: 1, emphasis: 5, equations: 1, text: 18 });
});
