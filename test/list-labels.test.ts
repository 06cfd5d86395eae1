import { readFileSync } from 'node:fs';
import t from 'tap';
import { type ListLabel, listLabels, writtenLabel } from '../src/shared/rich-text/list-labels.ts';
import { richTextSchema } from '../src/shared/rich-text/schema.ts';
import { serialise } from '../src/shared/rich-text/serialise.ts';
import { newPage } from './support/browser.ts';

// The labels of lists as a browser shows them. Study pages, printed papers and offline copies all have this HTML and this style sheet.

const { nodes } = richTextSchema;

const paragraph = (text: string) => nodes.paragraph.create(null, richTextSchema.text(text));

t.test('a browser shows the labels that an author has chosen', async (t) => {
  const labels: readonly ListLabel[] = [null, ...listLabels];
  const list = (label: ListLabel, order: number, inner: ListLabel) =>
    nodes.ordered_list.create({ label, order }, [
      nodes.list_item.create(null, [
        paragraph('x'),
        nodes.ordered_list.create(
          { label: inner },
          [1, 2].map(() => nodes.list_item.create(null, paragraph('y'))),
        ),
      ]),
      nodes.list_item.create(null, paragraph('z')),
    ]);
  const inner = (index: number): ListLabel => labels[(index * 4 + 3) % labels.length] ?? null;
  const doc = nodes.doc.create(
    null,
    labels.map((label, index) => list(label, 1 + (index % 9), inner(index))),
  );
  const page = await newPage(t, { width: 360, baseURL: 'http://127.0.0.1' });
  const css = readFileSync(new URL('../islands/styles/prose.css', import.meta.url), 'utf8');
  const html = serialise(doc, { formula: () => '' });
  await page.setContent(`<!doctype html><html lang="fr"><style>${css}</style><body><div class="prose">${html}</div></body></html>`);
  const session = await page.context().newCDPSession(page);
  const { nodes: shown } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(shown.map((node) => [node.nodeId, node]));
  const markersIn = (id: string): string[] => {
    const { role, name, childIds = [] } = byId.get(id) ?? {};
    return role?.value === 'ListMarker' ? [String(name?.value).trim()] : childIds.flatMap(markersIn);
  };
  const markers = markersIn(shown[0]?.nodeId ?? '');
  t.same(
    markers,
    labels.flatMap((label, index) => {
      const first = 1 + (index % 9);
      return [writtenLabel(label, first), writtenLabel(inner(index), 1), writtenLabel(inner(index), 2), writtenLabel(label, first + 1)];
    }),
  );
});
