import t from 'tap';
import { five, three } from '../../../../../test/support/mathtype.ts';
import { docx, htmlOf, imported, p, r } from '../../../../../test/support/word-file.ts';

// Equations of MathType and Equation Editor 3 in Word documents.

const { chars, line, template } = five;
const fraction = line(template(11, 0, line(chars('a')), line(chars('b'))));

/** Returns an embedded object as Word writes it: its preview, and its storage. */
const object = (id: string, program = 'Equation.DSMT4') =>
  `<w:r><w:object><v:shape style="width:60pt"><v:imagedata r:id="i${id}"/></v:shape><o:OLEObject Type="Embed" ProgID="${program}" r:id="${id}"/></w:object></w:r>`;

/** Imports a document with the storages of its objects; each has a preview. */
async function read(body: string, storages: Record<string, Buffer>) {
  const ids = Object.keys(storages);
  const { contenu, remarques } = await imported(
    await docx({
      body,
      images: Object.fromEntries(
        ids.flatMap((id) => [
          [id, `embeddings/${id}.bin`],
          [`i${id}`, `media/${id}.png`],
        ]),
      ),
      files: Object.fromEntries(
        ids.flatMap((id) => [
          [`embeddings/${id}.bin`, storages[id] as Buffer],
          [`media/${id}.png`, id],
        ]),
      ),
    }),
  );
  return { html: htmlOf(contenu), remarques };
}

const image = /<img src="\/media\/a\.webp"[^>]*>/;

t.test('an equation is a formula of its line, or of its own if its paragraph holds nothing else', async (t) => {
  const { html, remarques } = await read(
    p(r('Soit ') + object('a') + r('.')) +
      p(object('a')) +
      p(object('e', 'Equation.3')) +
      p(object('l')) +
      p(r('dans une image ') + object('e').replaceAll('w:object', 'w:pict')) +
      `<w:tbl><w:tr><w:tc>${p(object('a'))}</w:tc></w:tr></w:tbl>`,
    { a: five.equation(fraction), e: three.equation(three.chars('x')), l: five.equation(line(chars('y')), true) },
  );
  const inline = '<span>[\\frac{a}{b}]</span>';
  t.equal(
    html,
    `<p>Soit ${inline}.</p><div>[[\\frac{a}{b}]]</div><div>[[x]]</div><p><span>[y]</span></p><p>dans une image <span>[x]</span></p><div><table><tbody><tr><td>${inline}</td></tr></tbody></table></div>`,
  );
  t.same(remarques, []);
});

t.test('an equation that cannot be read keeps its picture, and the report says where it is', async (t) => {
  let tooDeep = chars('z');
  for (let level = 0; level < 300; level += 1) tooDeep = template(12, 0, line(tooDeep));
  const { html, remarques } = await read(
    p(r('Calculer ') + object('a') + r(' puis ') + object('b') + r('.')) +
      p(object('c')) +
      p(r('et ') + object('d')) +
      p(r('ou ') + object('e')),
    {
      a: five.equation(line(template(60, 0, fraction))),
      b: five.equation(fraction),
      c: Buffer.from('no storage'),
      d: five.equation(line(tooDeep)),
      // LaTeX that the site refuses: its letters are more than a formula may have.
      e: five.equation(line(chars('x'.repeat(9_000)))),
    },
  );
  t.equal(html.match(new RegExp(image, 'g'))?.length, 4, html);
  t.match(html, /^<p>Calculer <img [^>]*> puis <span>\[\\frac\{a\}\{b\}\]<\/span>\.<\/p>/);
  t.equal(remarques.length, 1);
  t.match(remarques[0], /^4 équations d'un ancien éditeur .*après « Calculer », en début de paragraphe, après « et », .* : à retaper/);
});
