import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { marks as basicMarks, nodes as basicNodes } from 'prosemirror-schema-basic';
import { bulletList, listItem, orderedList } from 'prosemirror-schema-list';
import { imageAddress, linkAddress } from './addresses.ts';
import { directionAttr, formatAttributes, formatAttrs, readDirection, readFormat } from './block-format.ts';
import { isWritable, MAX_ALT_LENGTH, MAX_IMAGE_SIDE, MAX_LATEX_LENGTH, MAX_LIST_START } from './bounds.ts';
import { labelAttr, labelAttributes, readLabel } from './list-labels.ts';
import { isBackgroundColor, isTextColor } from './palette.ts';
import { questionNodes } from './question-nodes.ts';
import { only } from './rules.ts';
import { tableNodes } from './table-nodes.ts';
import { video } from './video.ts';

function wholeNumber(text: string | null, least: number, most: number): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
}

const isSide = (value: unknown): boolean =>
  value === null || (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_IMAGE_SIDE);
const isAlt = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_ALT_LENGTH && isWritable(value);
const isLatex = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_LATEX_LENGTH && isWritable(value);
const isLanguage = (value: unknown): boolean => value === null || (typeof value === 'string' && /^[a-z0-9+#-]{1,20}$/.test(value));

const imageAttrs = {
  src: { validate: only('src', (value) => imageAddress(value) !== null && imageAddress(value) === value) },
  alt: { default: '', validate: only('alt', isAlt) },
  width: { default: null, validate: only('width', isSide) },
  height: { default: null, validate: only('height', isSide) },
};

function readImage(img: Element | null): Record<string, unknown> | false {
  const src = imageAddress(img?.getAttribute('src'));
  if (!img || src === null) return false;
  const alt = img.getAttribute('alt') ?? '';
  return {
    src,
    alt: isAlt(alt) ? alt : '',
    width: wholeNumber(img.getAttribute('width'), 1, MAX_IMAGE_SIDE),
    height: wholeNumber(img.getAttribute('height'), 1, MAX_IMAGE_SIDE),
  };
}

function readLatex(element: Element): { latex: string } | false {
  const latex = element.getAttribute('data-latex');
  return latex !== null && isLatex(latex) ? { latex } : false;
}

const latexAttr = { latex: { validate: only('latex', isLatex) } };

const paragraph: NodeSpec = {
  ...basicNodes.paragraph,
  attrs: formatAttrs,
  parseDOM: [{ tag: 'p', getAttrs: readFormat }],
  toDOM: ({ attrs }) => ['p', formatAttributes(attrs), 0],
};

const heading: NodeSpec = {
  ...basicNodes.heading,
  attrs: {
    level: { default: 2, validate: only('level', (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 6) },
    ...formatAttrs,
  },
  parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, getAttrs: (element) => ({ level, ...readFormat(element) }) })),
  toDOM: ({ attrs }) => [`h${attrs.level}`, formatAttributes(attrs), 0],
};

const bulletListNode: NodeSpec = {
  ...bulletList,
  attrs: directionAttr,
  content: 'list_item+',
  group: 'block',
  parseDOM: [{ tag: 'ul', getAttrs: readDirection }],
  toDOM: ({ attrs }) => ['ul', attrs.dir ? { dir: attrs.dir } : {}, 0],
};

const orderedListNode: NodeSpec = {
  ...orderedList,
  attrs: {
    order: {
      default: 1,
      validate: only('order', (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_LIST_START),
    },
    ...labelAttr,
    ...directionAttr,
  },
  content: 'list_item+',
  group: 'block',
  parseDOM: [
    {
      tag: 'ol',
      getAttrs: (ol) => ({
        order: wholeNumber(ol.getAttribute('start'), 0, MAX_LIST_START) ?? 1,
        ...readLabel(ol),
        ...readDirection(ol),
      }),
    },
  ],
  toDOM: ({ attrs }) => [
    'ol',
    { ...(attrs.order !== 1 && { start: attrs.order }), ...labelAttributes(attrs.label), ...(attrs.dir && { dir: attrs.dir }) },
    0,
  ],
};

const codeBlock: NodeSpec = {
  ...basicNodes.code_block,
  attrs: { language: { default: null, validate: only('language', isLanguage) } },
  parseDOM: [
    {
      tag: 'pre',
      preserveWhitespace: 'full',
      getAttrs: (pre) => {
        const language = /^language-(\S+)$/.exec(pre.querySelector('code')?.getAttribute('class') ?? '')?.[1] ?? null;
        return { language: isLanguage(language) ? language : null };
      },
    },
  ],
  toDOM: ({ attrs }) => ['pre', ['code', attrs.language ? { class: `language-${attrs.language}` } : {}, 0]],
};

const image: NodeSpec = {
  ...basicNodes.image,
  attrs: imageAttrs,
  parseDOM: [{ tag: 'img[src]', getAttrs: (img) => readImage(img) }],
  toDOM: ({ attrs }) => ['img', { ...attrs }],
};

/** A block with one image; its content is the caption. */
const figure: NodeSpec = {
  attrs: imageAttrs,
  content: '(text | formula | hard_break)*',
  group: 'block',
  isolating: true,
  draggable: true,
  parseDOM: [
    {
      tag: 'figure',
      getAttrs: (element) => readImage(element.querySelector('img')),
      contentElement: (element) => element.querySelector('figcaption') ?? (element.ownerDocument as Document).createElement('figcaption'),
    },
  ],
  toDOM: ({ attrs }) => ['figure', ['img', { ...attrs }], ['figcaption', 0]],
};

const formula: NodeSpec = {
  attrs: latexAttr,
  inline: true,
  group: 'inline',
  atom: true,
  leafText: ({ attrs }) => attrs.latex,
  parseDOM: [{ tag: 'span.formula[data-latex]', getAttrs: readLatex }],
  toDOM: ({ attrs }) => ['span', { class: 'formula', 'data-latex': attrs.latex }],
};

const formulaBlock: NodeSpec = {
  attrs: latexAttr,
  group: 'block',
  atom: true,
  leafText: ({ attrs }) => attrs.latex,
  parseDOM: [{ tag: 'div.formula-block[data-latex]', getAttrs: readLatex }],
  toDOM: ({ attrs }) => ['div', { class: 'formula-block', 'data-latex': attrs.latex }],
};

const link: MarkSpec = {
  attrs: { href: { validate: only('href', (value) => linkAddress(value) !== null && linkAddress(value) === value) } },
  inclusive: false,
  parseDOM: [
    {
      tag: 'a[href]',
      // A refused address removes the mark; the text stays.
      getAttrs: (a) => {
        const href = linkAddress(a.getAttribute('href'));
        return href === null ? false : { href };
      },
    },
  ],
  toDOM: ({ attrs }) => ['a', { href: attrs.href }, 0],
};

/** Returns a mark with a colour of the palette, written as a class. */
function colorMark(prefix: string, isKnown: (value: unknown) => boolean): MarkSpec {
  const read = (element: Element) => (element.getAttribute('class') ?? '').split(/\s+/).find((name) => name.startsWith(prefix));
  return {
    attrs: { color: { validate: only('color', isKnown) } },
    parseDOM: [
      {
        tag: `span[class*="${prefix}"]`,
        // One element may have both a text and a background colour.
        consuming: false,
        getAttrs: (span) => {
          const color = read(span)?.slice(prefix.length);
          return isKnown(color) && { color };
        },
      },
    ],
    toDOM: ({ attrs }) => ['span', { class: prefix + attrs.color }, 0],
  };
}

/**
 * The schema of all rich text: lessons, statements, corrections, subjects. The editor, the server and the demonstration data use it.
 * Content unknown to it is not stored.
 */
export const richTextSchema = new Schema({
  nodes: {
    doc: { content: '(block | question)+' },
    paragraph,
    heading,
    blockquote: basicNodes.blockquote,
    code_block: codeBlock,
    horizontal_rule: basicNodes.horizontal_rule,
    bullet_list: bulletListNode,
    ordered_list: orderedListNode,
    // `paragraph block*` would add an empty line to an item that begins with a formula or figure, or lose that block.
    list_item: { ...listItem, content: 'block+' },
    ...tableNodes,
    figure,
    formula_block: formulaBlock,
    video,
    ...questionNodes,
    text: basicNodes.text,
    image,
    formula,
    hard_break: basicNodes.hard_break,
  },
  marks: {
    link,
    em: basicMarks.em,
    strong: basicMarks.strong,
    text_color: colorMark('color-', isTextColor),
    background_color: colorMark('bg-', isBackgroundColor),
    underline: { parseDOM: [{ tag: 'u' }, { style: 'text-decoration=underline' }], toDOM: () => ['u', 0] },
    strike: {
      parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }, { style: 'text-decoration=line-through' }],
      toDOM: () => ['s', 0],
    },
    subscript: { excludes: 'subscript superscript', parseDOM: [{ tag: 'sub' }], toDOM: () => ['sub', 0] },
    superscript: { excludes: 'subscript superscript', parseDOM: [{ tag: 'sup' }], toDOM: () => ['sup', 0] },
    code: basicMarks.code,
  } satisfies Record<string, MarkSpec>,
});
