import t from 'tap';
import { documentFromJson } from '../src/shared/rich-text/document.ts';
import { richTextSchema } from '../src/shared/rich-text/schema.ts';
import { newPage } from './support/browser.ts';
import { forgivingHtml } from './support/forgiving-html.ts';
import { seeded, seedOfRun } from './support/random.ts';
import { randomDocument } from './support/random-documents.ts';

// Parses the server's HTML of a document, with formulas and code, in a browser. The serialiser does not use a DOM, and its output is
// inserted into pages unescaped. (src/shared/rich-text/serialise.test.ts tests that documents can be read back from their HTML.)

const documents = 1000;

t.test("a browser's parser gives the stored HTML back", async (t) => {
  const seed = seedOfRun();
  t.comment(`SEED=${seed}`);
  const random = seeded(seed);
  const wanted = new Set([...Object.keys(richTextSchema.nodes), ...Object.keys(richTextSchema.marks)]);
  const texts = Array.from({ length: documents }, () => {
    const doc = documentFromJson(randomDocument(random).toJSON());
    wanted.delete(doc.type.name);
    doc.descendants((node) => {
      wanted.delete(node.type.name);
      for (const { type } of node.marks) wanted.delete(type.name);
    });
    return forgivingHtml(doc);
  });
  t.same([...wanted], [], 'every node and mark took part');

  const page = await newPage(t, { width: 1280, baseURL: 'http://127.0.0.1' });
  const changed = await page.evaluate((texts) => {
    return texts.flatMap((html, index) => {
      const template = document.createElement('template');
      template.innerHTML = html;
      if (template.innerHTML === html) return [];
      const read = template.innerHTML;
      let at = 0;
      while (html[at] === read[at]) at += 1;
      return [
        `document ${index}: ${JSON.stringify(html.slice(at - 60, at + 60))} is read as ${JSON.stringify(read.slice(at - 60, at + 60))}`,
      ];
    });
  }, texts);
  t.equal(changed.length, 0, `SEED=${seed}, ${changed[0]}`);
  t.ok(texts.reduce((sum, html) => sum + html.length, 0) > 500 * documents, 'the documents contain text');
});
