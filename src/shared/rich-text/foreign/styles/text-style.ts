import { linkAddress } from '../../addresses.ts';
import { nearestBackgroundColor, nearestTextColor } from '../../nearest-color.ts';
import { isBackgroundColor, isTextColor } from '../../palette.ts';
import { writtenAddress } from '../../written-address.ts';
import type { Declarations } from '../support/css.ts';
import type { Notes } from '../support/notes.ts';
import { symbolFont } from '../support/symbol-font.ts';

/** Style of inline text, inherited from all enclosing elements. */
export interface TextStyle {
  readonly em: boolean;
  readonly strong: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly script: 'sub' | 'sup' | null;
  readonly color: string | null;
  /** Whether the colour comes from one of our classes: links keep only those. */
  readonly ours: boolean;
  readonly background: string | null;
  readonly code: boolean;
  readonly href: string | null;
  /** 'layout': spaces and line breaks collapse; 'lines': only spaces do; 'kept': all are the author's. */
  readonly spaces: 'layout' | 'lines' | 'kept';
  /** A font that shows other characters than the text has. */
  readonly font: 'symbol' | 'wingdings' | null;
}

export const plainText: TextStyle = {
  em: false,
  strong: false,
  underline: false,
  strike: false,
  script: null,
  color: null,
  ours: false,
  background: null,
  code: false,
  href: null,
  spaces: 'layout',
  font: null,
};

const TAGS: Readonly<Record<string, Partial<TextStyle>>> = {
  b: { strong: true },
  strong: { strong: true },
  i: { em: true },
  em: { em: true },
  cite: { em: true },
  dfn: { em: true },
  var: { em: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  strike: { strike: true },
  del: { strike: true },
  sub: { script: 'sub' },
  sup: { script: 'sup' },
  code: { code: true },
  tt: { code: true },
  kbd: { code: true },
  samp: { code: true },
  mark: { background: 'yellow' },
  dt: { strong: true },
};
const NO_BACKGROUND = new Set('html body div section article main table tbody thead tr td th p li ul ol blockquote'.split(' '));

type Mutable = { -readonly [K in keyof TextStyle]?: TextStyle[K] };

/** Returns the style of the content of `element`, whose own declarations are `css`. */
export function textStyle(
  element: Element,
  tag: string,
  classes: readonly string[],
  css: Declarations,
  parent: TextStyle,
  notes: Notes,
): TextStyle {
  const own: Mutable = { ...TAGS[tag] };
  if (tag === 'a') addLink(element, own, parent, notes);
  const inLink = parent.href !== null || own.href !== undefined;
  if (tag === 'font') addFont(element, own, inLink);
  // Word's tracked insertions are not underlined text.
  if (tag === 'ins' && element.getAttribute('datetime')) own.underline = parent.underline;
  addDeclarations(
    tag,
    inLink ? { ...css, color: undefined, 'text-decoration': undefined, 'text-decoration-line': undefined } : css,
    own,
    parent,
  );
  for (const name of classes) {
    const [, kind, color] = /^(color|bg)-([a-z]+)$/.exec(name) ?? [];
    if (kind === 'color' && isTextColor(color)) {
      own.color = color as string;
      own.ours = true;
    }
    if (kind === 'bg' && isBackgroundColor(color)) own.background = color as string;
    // Browsers mark a space at the end of a line like this.
    if (name === 'Apple-converted-space') own.spaces = 'layout';
  }
  for (const key in own) {
    if (own[key as keyof TextStyle] !== parent[key as keyof TextStyle]) return { ...parent, ...own };
  }
  return parent;
}

/** Adds a link. A link's own colour and underline are ignored. */
function addLink(element: Element, own: Mutable, parent: TextStyle, notes: Notes): void {
  const address = element.getAttribute('href');
  if (address === null) return;
  const href = linkAddress(writtenAddress(address.startsWith('//') ? `https:${address}` : address));
  if (href !== null) {
    own.href = href;
    if (!parent.ours) own.color = null;
  } else if (/^\s*#./.test(address)) notes.add('anchor');
  else if (!/^\s*(?:#|about:|$)/i.test(address)) notes.add('link');
}

function addFont(element: Element, own: Mutable, inLink: boolean): void {
  const color = element.getAttribute('color');
  if (color && !inLink) own.color = nearestTextColor(color);
  const face = element.getAttribute('face');
  if (face) own.font = symbolFont(face);
}

function addDeclarations(tag: string, css: Declarations, own: Mutable, parent: TextStyle): void {
  const weight = css['font-weight'];
  if (weight !== undefined && weight !== 'inherit') own.strong = /^(?:bold|bolder|[6-9]\d\d)$/i.test(weight);
  const slant = css['font-style'];
  if (slant !== undefined && slant !== 'inherit') own.em = /^(?:italic|oblique)/i.test(slant);
  const line = css['text-decoration-line'] ?? css['text-decoration'];
  if (line !== undefined) {
    own.underline = /underline/i.test(line) || parent.underline;
    own.strike = /line-through/i.test(line) || parent.strike;
  }
  const height = css['vertical-align'];
  if (height !== undefined && tag !== 'td' && tag !== 'th' && tag !== 'tr' && tag !== 'img') {
    if (/^(?:super|text-top)$/i.test(height)) own.script = 'sup';
    else if (/^sub$/i.test(height)) own.script = 'sub';
    else if (/^baseline$/i.test(height) && !own.script) own.script = parent.script;
  }
  if (css.color !== undefined && !/^(?:inherit|initial|currentcolor|windowtext)$/i.test(css.color)) own.color = nearestTextColor(css.color);
  addBackground(tag, css, own);
  const space = css['white-space']?.toLowerCase();
  if (css['mso-spacerun'] !== undefined || (space && /^(?:pre|pre-wrap|break-spaces|preserve)$/.test(space))) own.spaces = 'kept';
  else if (space === 'pre-line') own.spaces = 'lines';
  else if (space === 'normal' || space === 'nowrap') own.spaces = 'layout';
  const family = css['mso-symbol-font-family'] ?? css['font-family'];
  if (family !== undefined) own.font = symbolFont(family);
}

function addBackground(tag: string, css: Declarations, own: { background?: string | null }): void {
  // A block's background is layout; inline, it is a highlight.
  if (NO_BACKGROUND.has(tag)) return;
  const value = css['mso-highlight'] ?? css['background-color'] ?? css.background;
  if (value === undefined || /^(?:transparent|inherit|initial|none|auto)\b/i.test(value)) return;
  const color = /#[0-9a-f]{3,8}\b|rgba?\([^()]*\)|[a-z]{3,20}/i.exec(value)?.[0] ?? '';
  if (/^rgba\([^()]*,\s*0(?:\.0+)?\s*\)$/i.test(color)) return;
  own.background = nearestBackgroundColor(color);
}
