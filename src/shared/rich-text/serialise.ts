import type { Mark, Node } from 'prosemirror-model';
import { escapeHtml, escapeText } from '../escapes.ts';
import { formatAttributes } from './block-format.ts';
import { cellAttributes } from './table-nodes.ts';
import { videoLabel } from './video.ts';

/** Renderers for content whose HTML is not in the document; their results are written unescaped. */
export interface Renderers {
  /** Returns MathML (or other HTML) for a formula's LaTeX. */
  formula: (latex: string, display: boolean) => string;
  /** Returns highlighted code: text and `span` elements only. Without it, code is plain. */
  code?: (text: string, language: string | null) => string;
}

/**
 * Returns the canonical HTML of a document: equal documents give equal HTML, and parsing it gives the document again. It needs no DOM,
 * writes no style attributes, and escapes all content of the document.
 */
export function serialise(doc: Node, renderers: Renderers): string {
  return blocks(doc, renderers);
}

function blocks(parent: Node, render: Renderers): string {
  let html = '';
  parent.forEach((node) => {
    html += block(node, render);
  });
  return html;
}

function block(node: Node, render: Renderers): string {
  switch (node.type.name) {
    case 'code_block':
      return code(node, render);
    case 'horizontal_rule':
      return '<hr>';
    case 'list_item':
      return `<li>${flow(node, render)}</li>`;
    case 'table':
      return table(node, render);
    case 'figure':
      return `<figure>${image(node)}${node.childCount > 0 ? `<figcaption>${inline(node, render)}</figcaption>` : ''}</figure>`;
    case 'formula_block':
      // A long formula scrolls by itself, so it must be focusable and have a name.
      return `<div class="formula-block"${attributes({ 'data-latex': node.attrs.latex })} tabindex="0" role="group" aria-label="Formule">${render.formula(node.attrs.latex, true)}</div>`;
    case 'video':
      return video(node);
    default:
      return plain(node, render);
  }
}

/** Returns the element that `toDOM` of the schema describes, with the block's content. Most blocks need nothing else. */
function plain(node: Node, render: Renderers): string {
  const [tag, ...rest] = (node.type.spec.toDOM?.(node) ?? []) as unknown[];
  // The schema marks the place of the content by 0.
  if (rest.at(-1) !== 0) throw new Error(`No HTML is known for the block ${node.type.name}`);
  const [named] = rest as [Attributes | 0];
  const content = node.isTextblock ? inline(node, render) : blocks(node, render);
  return `<${tag}${named === 0 ? '' : attributes(named)}>${content}</${tag}>`;
}

/** Returns the content of a list item or a cell. Its first paragraph has no tags where that is unambiguous. */
function flow(node: Node, render: Renderers): string {
  const first = node.firstChild;
  if (first?.type.name !== 'paragraph' || node.maybeChild(1)?.type.name === 'paragraph') return blocks(node, render);
  if (Object.keys(formatAttributes(first.attrs)).length > 0) return blocks(node, render);
  // An empty paragraph before another block needs its tags: parsing would otherwise lose it.
  if (first.childCount === 0 && node.childCount > 1) return blocks(node, render);
  let html = inline(first, render);
  for (let index = 1; index < node.childCount; index += 1) html += block(node.child(index), render);
  return html;
}

function table(node: Node, render: Renderers): string {
  // role="group", not a landmark: ten tables would be ten landmarks with the same name.
  const open = '<div class="table-scroll" tabindex="0" role="group" aria-label="Tableau"><table>';
  const headed = isHead(node.child(0));
  let html = headed ? `<thead>${row(node.child(0), 'col', render)}</thead>` : '';
  if (node.childCount > (headed ? 1 : 0)) {
    html += '<tbody>';
    for (let index = headed ? 1 : 0; index < node.childCount; index += 1) html += row(node.child(index), 'row', render);
    html += '</tbody>';
  }
  return `${open}${html}</table></div>`;
}

/**
 * Returns whether the first row consists of headers; its corner may be an empty cell. A cell with a rowspan would be cut off by `<thead>`.
 */
function isHead(first: Node): boolean {
  let headers = 0;
  let others = 0;
  first.forEach((cell) => {
    if (cell.attrs.rowspan > 1) others += 1;
    else if (cell.type.name === 'table_header') headers += 1;
    else if (cell.childCount > 1 || !cell.firstChild?.isTextblock || cell.firstChild.content.size > 0) others += 1;
  });
  return headers > 0 && others === 0;
}

function row(node: Node, scope: 'col' | 'row', render: Renderers): string {
  let html = '<tr>';
  node.forEach((cell) => {
    const [tag, extra] = cell.type.name === 'table_header' ? ['th', { scope }] : ['td', {}];
    html += `<${tag}${attributes({ ...cellAttributes(cell.attrs), ...extra })}>${flow(cell, render)}</${tag}>`;
  });
  return `${html}</tr>`;
}

function code(node: Node, render: Renderers): string {
  const { language } = node.attrs;
  const text = render.code ? render.code(node.textContent, language) : escapeText(node.textContent);
  return `<pre><code${attributes({ class: language && `language-${language}` })}>${text}</code></pre>`;
}

/** Returns a link in place of the player, which loads only when the reader asks for it. */
function video({ attrs }: Node): string {
  const { src, title } = attrs as { src: string; title: string };
  const link = `<a${attributes({ href: src })} rel="noopener noreferrer">${escapeText(videoLabel({ src, title }))}</a>`;
  return `<div class="video"${attributes({ 'data-video': src, 'data-title': title || null })}>${link}</div>`;
}

function image({ attrs }: Node): string {
  const { src, alt, width, height } = attrs;
  return `<img${attributes({ src, alt, width, height, loading: 'lazy', decoding: 'async' })}>`;
}

function inline(parent: Node, render: Renderers): string {
  let html = '';
  let open: readonly Mark[] = [];
  parent.forEach((node) => {
    let kept = 0;
    while (kept < open.length && kept < node.marks.length && open[kept]?.eq(node.marks[kept] as Mark)) kept += 1;
    html += closing(open, kept);
    for (const mark of node.marks.slice(kept)) html += opening(mark);
    open = node.marks;
    html += leaf(node, render);
  });
  return html + closing(open, 0);
}

function leaf(node: Node, render: Renderers): string {
  switch (node.type.name) {
    case 'text':
      return escapeText(node.text ?? '');
    case 'hard_break':
      return '<br>';
    case 'image':
      return image(node);
    case 'formula':
      return `<span class="formula"${attributes({ 'data-latex': node.attrs.latex })}>${render.formula(node.attrs.latex, false)}</span>`;
    default:
      throw new Error(`No HTML is known for the inline node ${node.type.name}`);
  }
}

const MARK_TAGS: Record<string, string> = {
  link: 'a',
  em: 'em',
  strong: 'strong',
  underline: 'u',
  strike: 's',
  subscript: 'sub',
  superscript: 'sup',
  code: 'code',
  text_color: 'span',
  background_color: 'span',
};

const MARK_CLASSES: Record<string, string> = { text_color: 'color-', background_color: 'bg-' };

function markTag(mark: Mark): string {
  const tag = MARK_TAGS[mark.type.name];
  if (!tag) throw new Error(`No HTML is known for the mark ${mark.type.name}`);
  return tag;
}

function opening(mark: Mark): string {
  const prefix = MARK_CLASSES[mark.type.name];
  return `<${markTag(mark)}${attributes({ href: mark.attrs.href, class: prefix && prefix + mark.attrs.color })}>`;
}

function closing(marks: readonly Mark[], kept: number): string {
  let html = '';
  for (let index = marks.length - 1; index >= kept; index -= 1) html += `</${markTag(marks[index] as Mark)}>`;
  return html;
}

type Attributes = Record<string, string | number | null | undefined>;

function attributes(values: Attributes): string {
  let html = '';
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) html += ` ${name}="${escapeHtml(String(value))}"`;
  }
  return html;
}
