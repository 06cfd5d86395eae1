import t from 'tap';
import { pdf } from '../../../../../test/support/pdf.ts';
import { isPdf } from './pdf.ts';

const whole = pdf('fiche');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

t.test('a PDF is accepted, with the extra bytes that programs leave around it', async (t) => {
  t.ok(isPdf(whole));
  t.ok(isPdf(Buffer.concat([latin1('\xef\xbb\xbf'), whole])), 'a byte order mark before the header is accepted');
  t.ok(isPdf(Buffer.concat([latin1('\r\n \t'), whole])), 'white space before the header is accepted');
  t.ok(isPdf(Buffer.concat([whole, Buffer.alloc(500)])), '500 extra bytes after the end are accepted');
  t.ok(isPdf(pdf('x'.repeat(100_000))), 'a file longer than the checked head and tail is accepted');
  const stream = '<</Type/XRef/Size 1/W[1 2 1]/Root 1 0 R/Length 4>>stream\n0000\nendstream';
  t.ok(
    isPdf(latin1(`%PDF-1.5\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\nendobj\n2 0 obj\n${stream}\nendobj\nstartxref\n49\n%%EOF\n`)),
  );
});

t.test('a file that only contains the marks of a PDF is refused', async (t) => {
  const text = whole.toString('latin1');
  const others: Record<string, string> = {
    'a script': 'alert(1)//%PDF-1.4 %%EOF',
    'a script before a whole PDF': `alert(1)//${text}`,
    'a page': `<script>alert(1)</script>${text}`,
    'an archive': `PK\u0003\u0004${text}`,
    'blank space without end': ' '.repeat(2000) + text,
    'its two marks': '%PDF-1.4 %%EOF',
    'no version': text.replace('%PDF-1.4', '%PDF-x'),
    'no object': '%PDF-1.4\nobject\nxref\n0 0\ntrailer<<>>\nstartxref\n9\n%%EOF\n',
    'no table': '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n',
    'no end': text.replace('%%EOF', ''),
    'an end long before the end': text + 'x'.repeat(4000),
    nothing: '',
  };
  for (const [name, content] of Object.entries(others)) t.notOk(isPdf(latin1(content)), name);
});

t.test('hostile bytes are checked quickly', async (t) => {
  for (const unit of ['1 ', '1 1 ', '1', ' ', '1 0 ob']) {
    const bytes = Buffer.concat([latin1('%PDF-1.4\n'), Buffer.alloc(10 * 1024 * 1024, unit), latin1('\nstartxref\n9\n%%EOF')]);
    const start = process.cpuUsage();
    t.notOk(isPdf(bytes));
    const { user, system } = process.cpuUsage(start);
    t.ok((user + system) / 1e6 < 3, `${JSON.stringify(unit)}: ${((user + system) / 1e6).toFixed(2)} s`);
  }
});
