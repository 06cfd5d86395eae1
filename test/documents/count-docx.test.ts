import t from 'tap';
import { docx, item, p, picture, r, style } from '../support/word-file.ts';
import { countDocx } from './count-docx.ts';

t.test('counts the visible content of a Word file', async (t) => {
  const math = '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>';
  const cell = (properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(r('a'))}</w:tc>`;
  const counts = await countDocx(
    await docx({
      body:
        p(r('Suites', '<w:b/>'), style('Titre')) +
        p(r('Un'), style('Titre1')) +
        p(r('Deux'), style('Plan')) +
        p('', style('Titre2')) +
        p(r('gras', '<w:b/>') + r(' et ') + r('caché', '<w:vanish/><w:b/>') + r('x', '<w:vertAlign w:val="superscript"/>')) +
        item('a', 1) +
        item('b', 1, 2) +
        item('c', 2) +
        item('d', 0) +
        p(`<w:hyperlink r:id="l">${r('a')}</w:hyperlink><w:hyperlink r:id="m">${r('b', '<w:u w:val="single"/>')}</w:hyperlink>${r('c')}`) +
        p(`${math}<m:oMathPara>${math}${math}</m:oMathPara><m:oMath/>${picture('i')}`) +
        p(`<w:del><w:r><w:delText>effacé</w:delText></w:r></w:del>${r('ligne 3', '<w:b/>')}`, style('TM1')) +
        `<w:tbl><w:tr>${cell('<w:vMerge w:val="restart"/>')}${cell()}</w:tr><w:tr>${cell('<w:vMerge/>')}${cell()}</w:tr></w:tbl>`,
      links: { l: 'https://a.cm/', m: 'https://a.cm/' },
      images: { i: 'media/a.png' },
    }),
  );
  t.same(counts, { headings: 2, listItems: { 1: 2, 2: 1 }, cells: 3, images: 1, links: 1, emphasis: 5, equations: 3, text: 23 });
});
