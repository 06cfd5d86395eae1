import type { Mark, Node } from 'prosemirror-model';
import { alignments } from '../../src/shared/rich-text/block-format.ts';
import { MAX_INDENT } from '../../src/shared/rich-text/bounds.ts';
import { listLabels } from '../../src/shared/rich-text/list-labels.ts';
import { backgroundColors, textColors } from '../../src/shared/rich-text/palette.ts';
import { questionKinds } from '../../src/shared/rich-text/question-kinds.ts';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';

// Random documents for tests, reproducible from a seed. Together they cover every node, mark and attribute.

const WORDS = [
  'suite',
  'é',
  ' ',
  '  ',
  '&amp;',
  '<b>',
  '"',
  "'",
  '\u00a0',
  '😀',
  '$x$',
  'a < b',
  '\n',
  '\t',
  '-->',
  ']]>',
  '&#60;',
  '\u2028',
  'مرحبا',
];
const LATEX = ['x', 'a<b', '\\frac{1}{2}', 'a & b', '"', '\\text{é}', 'x\ny', "f'"];
const LINKS = [
  'https://exemple.cm/a?b=1&c="2"',
  'http://exemple.cm/',
  'mailto:a@exemple.cm',
  'tel:+237600000000',
  "https://exemple.cm/'#<x>",
];
const VIDEOS = [
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=a-b_c123456&t=90',
  'https://vimeo.com/76979871',
  'https://vimeo.com/76979871/abcdef0123',
  'https://exemple.cm/cours/video-1.mp4?a=1&b=2',
];
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const IMAGES = [PIXEL, '/media/2024/a-1.png', 'https://exemple.cm/a.png?x=1&y=2', 'http://exemple.cm/b.gif'];

/** Returns a random document of the schema; the same `random` gives the same document. */
export function randomDocument(random: () => number): Node {
  const { nodes, marks } = richTextSchema;
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const times = <T>(least: number, most: number, make: () => T): T[] => Array.from({ length: least + below(most - least + 1) }, make);
  const text = (): string => times(1, 5, () => pick(WORDS)).join('');
  const side = (): number | null => pick([null, 1, 640]);
  const picture = () => ({ src: pick(IMAGES), alt: pick(['', 'Une "figure" <1> & 2', 'é\u00a0']), width: side(), height: side() });

  const markAttrs = (name: string) => {
    if (name === 'link') return { href: pick(LINKS) };
    if (name === 'text_color') return { color: pick(textColors).name };
    return name === 'background_color' ? { color: pick(backgroundColors).name } : null;
  };
  const dir = () => (random() < 0.2 ? { dir: 'rtl' } : {});
  const format = () => {
    const direction = dir();
    // In left-to-right text 'left' is the default alignment and is not stored.
    const aligned = 'dir' in direction ? alignments : alignments.filter((name) => name !== 'left');
    return {
      ...(random() < 0.3 && { align: pick(aligned) }),
      ...(random() < 0.3 && { indent: 1 + below(MAX_INDENT) }),
      ...direction,
    };
  };
  const markSet = (): readonly Mark[] =>
    Object.values(marks).reduce<readonly Mark[]>(
      (set, type) => (random() < 0.2 ? type.create(markAttrs(type.name)).addToSet(set) : set),
      [],
    );
  const inlineNode = (caption: boolean): Node => {
    const chance = random();
    if (chance < 0.12) return nodes.formula.create({ latex: pick(LATEX) }, null, markSet());
    if (chance < 0.2) return nodes.hard_break.create(null, null, markSet());
    if (chance < 0.26 && !caption) return nodes.image.create(picture(), null, markSet());
    return richTextSchema.text(text(), markSet());
  };
  const inline = (caption = false): Node[] => times(0, 5, () => inlineNode(caption));
  const paragraph = (): Node => nodes.paragraph.create(format(), inline());

  const block = (depth: number): Node => {
    const makers: (() => Node)[] = [
      paragraph,
      () => nodes.heading.create({ level: 1 + below(6), ...format() }, inline()),
      () => nodes.code_block.create({ language: pick([null, 'python', 'c++']) }, random() < 0.8 ? richTextSchema.text(text()) : null),
      () => nodes.horizontal_rule.create(),
      () => nodes.formula_block.create({ latex: pick(LATEX) }),
      () => nodes.figure.create(picture(), inline(true)),
      () => nodes.video.create({ src: pick(VIDEOS), title: pick(['', 'Les suites & "limites" <1>']) }),
    ];
    if (depth > 0) {
      const blocks = (): Node[] => times(1, 3, () => block(depth - 1));
      const item = (): Node =>
        nodes.list_item.create(null, random() < 0.3 ? blocks() : [paragraph(), ...times(0, 2, () => block(depth - 1))]);
      const span = (): number => pick([1, 1, 1, 2, 3]);
      const cell = (): Node =>
        pick([nodes.table_cell, nodes.table_header]).create(
          { colspan: span(), rowspan: span(), width: pick([null, null, 10, 50, 100]) },
          blocks(),
        );
      makers.push(
        () => nodes.blockquote.create(null, blocks()),
        () => nodes.bullet_list.create(dir(), times(1, 3, item)),
        () => nodes.ordered_list.create({ order: pick([0, 1, 7]), label: pick([null, ...listLabels]), ...dir() }, times(1, 3, item)),
        () =>
          nodes.table.create(
            null,
            times(1, 3, () => nodes.table_row.create(null, times(0, 3, cell))),
          ),
        () =>
          nodes.table.create(null, [
            nodes.table_row.create(
              null,
              times(1, 3, () => nodes.table_header.create(null, paragraph())),
            ),
          ]),
      );
    }
    return pick(makers)();
  };
  const blocks = (): Node[] => times(1, 2, () => block(1));
  const id = (): string | null =>
    pick([
      null,
      ...times(1, 3, () =>
        below(36 ** 6)
          .toString(36)
          .padStart(12, '0'),
      ),
    ]);
  const answer = (): string => pick(['', '3,5', '2 %', 'm/s', 'l\'État "fédéral" & <uni>', 'é\u00a0']);
  const question = (): Node =>
    nodes.question.create(
      {
        id: id(),
        kind: pick(questionKinds),
        points: pick([1, 1, 2, 0.5]),
        fixed: random() < 0.2,
        unusable: random() < 0.1,
        value: answer(),
        tolerance: answer(),
        unit: answer(),
        accepted: times(0, 3, answer),
      },
      [
        nodes.question_statement.create(null, blocks()),
        ...times(0, 5, () =>
          nodes.question_choice.create({ id: id(), right: random() < 0.4 }, [
            ...blocks(),
            ...times(0, 1, () => nodes.question_remark.create(null, blocks())),
          ]),
        ),
        ...times(0, 1, () => nodes.question_explanation.create(null, blocks())),
      ],
    );
  return nodes.doc.create(
    null,
    times(1, 6, () => (random() < 0.15 ? question() : block(3))),
  );
}
