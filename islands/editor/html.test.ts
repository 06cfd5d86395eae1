import t from 'tap';
import { isEmpty } from '../../src/shared/rich-text/emptiness.ts';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import { textOf } from '../../test/support/editor-text.ts';

t.test('isEmpty tells whether a text has content', async (t) => {
  t.equal(richTextSchema.topNodeType.createAndFill()?.toString(), 'doc(paragraph)');
  for (const html of ['<p></p>', '<p>  <br></p>', '<h2></h2><ul><li></li></ul>', '<table><tr><td></td></tr></table>'])
    t.equal(isEmpty(textOf(html).doc), true, html);
  for (const html of [
    '<p>x</p>',
    '<ul><li>x</li></ul>',
    '<p><img src="https://a.cm/i.png" alt=""></p>',
    '<figure><img src="https://a.cm/i.png" alt=""></figure>',
    '<p><span class="formula" data-latex="x"></span></p>',
    '<div class="video" data-video="https://vimeo.com/123456"></div>',
    '<hr>',
  ])
    t.equal(isEmpty(textOf(html).doc), false, html);
});
