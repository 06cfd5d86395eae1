import { linkAddress } from '../../../../shared/rich-text/addresses.ts';
import { isTextColor } from '../../../../shared/rich-text/palette.ts';
import type { Cursor } from './cursor.ts';
import { addHeading, heading } from './headings.ts';
import { counterValue } from './numbers.ts';
import { includeGraphics } from './pictures.ts';
import type { CommandHandler as Handler, Mark, TexReader } from './reader.ts';
import { footnote, label, reference } from './references.ts';
import { quoted } from './report.ts';

const marked =
  (...marks: Mark[]): Handler =>
  (reader, cursor) => {
    cursor.takeStar();
    reader.scoped(cursor.argument() ?? [], ...marks);
  };
const switched =
  (...marks: Mark[]): Handler =>
  (reader) => {
    reader.marks = [...reader.marks, ...marks];
  };
const text =
  (...tags: string[]): Handler =>
  (reader, cursor) => {
    for (const _ of tags) cursor.option();
    reader.scoped(cursor.argument() ?? []);
  };
/** Drops arguments, then reads the last one. */
const last =
  (dropped: number): Handler =>
  (reader, cursor) => {
    cursor.takeStar();
    for (let count = 0; count < dropped; count += 1) {
      while (cursor.option());
      cursor.argument();
    }
    while (cursor.option());
    reader.scoped(cursor.group() ?? []);
  };

const strong: Mark = { tag: 'strong' };
const em: Mark = { tag: 'em' };

/** Leaves out the arguments of a command whose words have no place in the text, and names them. */
const named =
  (what: string, count = 1): Handler =>
  (reader, cursor, node) => {
    cursor.takeStar();
    const parts: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const option = cursor.option();
      if (option) parts.push(reader.plain(option));
      parts.push(reader.plain(cursor.argument() ?? []));
    }
    const words = quoted(parts.filter((part) => part !== '').join(', '));
    if (words !== '') reader.context.report.say(reader.lineOf(node), `${what} : ${words}`);
  };

const lineBreak: Handler = (reader, cursor) => {
  cursor.takeStar();
  cursor.dimension();
  reader.inline(reader.document.createElement('br'));
};

const rule: Handler = (reader) => reader.block(reader.document.createElement('hr'));

function link(reader: TexReader, address: string, write: () => void, line: number): void {
  const href = linkAddress(/^www\./.test(address) ? `https://${address}` : address);
  const { marks } = reader;
  if (href !== null) reader.marks = [...marks, { tag: 'a', href }];
  else reader.context.report.say(line, `Lien retiré, son texte reste : ${quoted(address)}`);
  write();
  reader.marks = marks;
}

function addressOf(reader: TexReader, cursor: Cursor): string {
  cursor.option();
  return reader.context.hidden.revealed(cursor.rawGroup()).trim();
}

function color(cursor: Cursor): Mark[] {
  const isModel = cursor.option() !== null;
  const name = cursor.rawGroup().split('!')[0] ?? '';
  const known = isModel || name === 'black' ? '' : ({ magenta: 'pink', violet: 'purple', cyan: 'teal', grey: 'gray' }[name] ?? name);
  return isTextColor(known) ? [{ tag: 'span', class: `color-${known}` }] : [];
}

const handlers: Record<string, Handler> = {
  '\\': lineBreak,
  newline: lineBreak,
  linebreak: lineBreak,
  tabularnewline: lineBreak,
  par: (reader) => reader.endParagraph(),
  hrule: rule,
  hrulefill: rule,
  emph: marked(em),
  em: switched(em),
  it: switched(em),
  sl: switched(em),
  itshape: switched(em),
  slshape: switched(em),
  bf: switched(strong),
  bfseries: switched(strong),
  tt: switched({ tag: 'code' }),
  ttfamily: switched({ tag: 'code' }),
  textbf: marked(strong),
  textit: marked(em),
  textsl: marked(em),
  alert: marked(strong),
  structure: marked(strong),
  defn: marked(strong),
  underline: marked({ tag: 'u' }),
  uline: marked({ tag: 'u' }),
  ul: marked({ tag: 'u' }),
  sout: marked({ tag: 's' }),
  st: marked({ tag: 's' }),
  texttt: marked({ tag: 'code' }),
  textsuperscript: marked({ tag: 'sup' }),
  up: marked({ tag: 'sup' }),
  fup: marked({ tag: 'sup' }),
  textsubscript: marked({ tag: 'sub' }),
  textcolor: (reader, cursor) => {
    const marks = color(cursor);
    reader.scoped(cursor.argument() ?? [], ...marks);
  },
  color: (reader, cursor) => {
    reader.marks = [...reader.marks, ...color(cursor)];
  },
  centering: (reader) => {
    reader.align = 'center';
  },
  raggedleft: (reader) => {
    reader.align = 'right';
  },
  raggedright: (reader) => {
    reader.align = null;
  },
  url: (reader, cursor, node) => {
    const address = addressOf(reader, cursor);
    link(reader, address, () => reader.verbatim(address), reader.lineOf(node));
  },
  path: (reader, cursor) => reader.verbatim(addressOf(reader, cursor)),
  nolinkurl: (reader, cursor) => reader.verbatim(addressOf(reader, cursor)),
  href: (reader, cursor, node) => {
    const address = addressOf(reader, cursor);
    const content = cursor.argument() ?? [];
    link(reader, address, () => reader.scoped(content), reader.lineOf(node));
  },
  footnote,
  footnotetext: footnote,
  thanks: footnote,
  label,
  ref: reference('', ''),
  eqref: reference('(', ')'),
  autoref: reference('', ''),
  cref: reference('', ''),
  Cref: reference('', ''),
  vref: reference('', ''),
  pageref: reference('', ''),
  nameref: reference('', ''),
  hyperref: text('label'),
  hypertarget: (reader, cursor) => {
    cursor.rawGroup();
    // It may hold a heading.
    reader.walk(cursor.argument() ?? []);
  },
  hyperlink: last(1),
  cite: (reader, cursor, node) => {
    cursor.option();
    const key = cursor.rawGroup();
    reader.text(`[${key}]`);
    reader.context.report.say(reader.lineOf(node), `Référence à une bibliographie, à compléter : ${quoted(key)}`);
  },
  includegraphics: includeGraphics,
  part: heading('part'),
  chapter: heading('chapter'),
  section: heading('section'),
  subsection: heading('subsection'),
  subsubsection: heading('subsubsection'),
  paragraph: heading('paragraph'),
  subparagraph: heading('subparagraph'),
  frametitle: heading('subsection', false),
  framesubtitle: heading('subsubsection', false),
  title: (reader, cursor) => {
    cursor.option();
    const title = cursor.argument() ?? [];
    if (reader.context.title) addHeading(reader, title, 2);
    else reader.context.title = title;
  },
  author: named('Auteur, laissé de côté'),
  date: named('Date, laissée de côté'),
  institute: named('Établissement, laissé de côté'),
  subtitle: named('Sous-titre, laissé de côté'),
  markboth: named('En-tête, laissé de côté', 2),
  markright: named('En-tête, laissé de côté'),
  ...Object.fromEntries(
    ['lhead', 'chead', 'rhead', 'lfoot', 'cfoot', 'rfoot', 'fancyhead', 'fancyfoot', 'fancyhf', 'ihead', 'ohead'].map((name) => [
      name,
      named('En-tête ou pied de page, laissé de côté'),
    ]),
  ),
  bibliography: named('Bibliographie, laissée de côté'),
  today: (reader, _, node) => reader.context.report.say(reader.lineOf(node), "\\today : la date du jour n'est pas reprise."),
  caption: (reader, cursor) => {
    cursor.takeStar();
    cursor.option();
    reader.endParagraph();
    reader.scoped(cursor.argument() ?? [], em);
    reader.endParagraph();
  },
  setcounter: (reader, cursor) => {
    const counter = cursor.rawGroup().trim();
    reader.context.numbers.set(counter, counterValue(cursor.rawGroup()));
  },
  addtocounter: (reader, cursor) => {
    const { numbers } = reader.context;
    const counter = cursor.rawGroup().trim();
    numbers.set(counter, numbers.value(counter) + Number(cursor.rawGroup()));
  },
  stepcounter: (reader, cursor) => {
    reader.context.numbers.step(cursor.rawGroup().trim());
  },
  refstepcounter: (reader, cursor) => {
    const { numbers } = reader.context;
    const counter = cursor.rawGroup().trim();
    numbers.step(counter);
    numbers.current = numbers.written(counter);
  },
  ...Object.fromEntries(
    ['arabic', 'roman', 'Roman', 'alph', 'Alph'].map((style): [string, Handler] => [
      style,
      (reader, cursor) => reader.text(reader.context.numbers.in(style, cursor.rawGroup().trim())),
    ]),
  ),
  ensuremath: (reader, cursor, node) => {
    const latex = cursor.raw(cursor.argument() ?? []);
    const { formulas } = reader.context;
    if (latex.trim() !== '') reader.inline(formulas.add(reader.document, latex, false, { line: reader.lineOf(node), source: latex }));
  },
  // Commands that only shape their argument.
  ...Object.fromEntries(
    (
      'text textrm textsf textsc textmd textup textnormal mbox hbox fbox framebox makebox boxed frame centerline leftline rightline ' +
      'bsc lsc uppercase MakeUppercase lowercase MakeLowercase sbox strong uwave llap rlap mdframed tcbox ovalbox shadowbox doublebox ' +
      'hl underbar overline only uncover visible onslide FrenchBox nombre num numprint np'
    )
      .split(' ')
      .map((name) => [name, text('', '')]),
  ),
  enquote: (reader, cursor) => {
    reader.text('«\u00a0');
    reader.scoped(cursor.argument() ?? []);
    reader.text('\u00a0»');
  },
  colorbox: last(1),
  fcolorbox: last(2),
  parbox: last(1),
  raisebox: last(1),
  scalebox: last(1),
  resizebox: last(2),
  rotatebox: last(1),
  adjustbox: last(1),
  multirow: last(2),
  multicolumn: last(2),
  minipage: last(1),
  foreignlanguage: last(1),
  texorpdfstring: (reader, cursor) => {
    reader.scoped(cursor.argument() ?? []);
    cursor.argument();
  },
  char: (reader, cursor) => {
    const [, digits] = cursor.takeText(/^\s*(\d{1,6})/) ?? [];
    const code = Number(digits ?? 0);
    if (code >= 32 && code < 0xd800) reader.text(String.fromCodePoint(code));
  },
  ...Object.fromEntries(
    ['vskip', 'hskip', 'kern', 'parskip', 'parindent', 'baselineskip', 'parsep', 'itemsep', 'topsep'].map((name): [string, Handler] => [
      name,
      (_, cursor) => {
        cursor.takeText(/^\s*=?\s*-?[\d.,]+\s*(?:true\s*)?(?:cm|mm|pt|em|ex|in|pc|sp)(?:\s*(?:plus|minus)\s*[\d.]+\s*[a-z]{2,4})*/);
      },
    ]),
  ),
  fg: (reader) => {
    reader.unskip();
    reader.text('\u00a0»');
  },
};
export const textCommands: ReadonlyMap<string, Handler> = new Map(Object.entries(handlers));
