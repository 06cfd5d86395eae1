import type { Random } from './random.ts';

/** A list item, with the label that TeX writes before it; null for a bullet. */
interface WrittenItem {
  readonly label: string | null;
  readonly word: string;
}

/** A random TeX file and what was written into it. */
export interface RandomTex {
  readonly source: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** Words in the order of the text. Those of notes, solutions and captions are apart, since they move. */
  readonly words: readonly string[];
  readonly moved: readonly string[];
  /** LaTeX of formulas, after the file's own commands. */
  readonly formulas: readonly string[];
  /** Words of cells, by row. */
  readonly rows: readonly (readonly string[])[];
  readonly items: readonly WrittenItem[];
  readonly pictures: readonly { readonly name: string; readonly isThere: boolean }[];
}

const ACCENTED: readonly (readonly [written: string, letter: string])[] = [
  ["\\'e", 'é'],
  ['\\`{a}', 'à'],
  ['\\^\\i ', 'î'],
  ['\\^{o}', 'ô'],
  ['\\"e', 'ë'],
  ['\\c{c}', 'ç'],
  ['\\c c', 'ç'],
  ['{\\oe}', 'œ'],
  ['\\oe ', 'œ'],
  ['é', 'é'],
  ['ù', 'ù'],
  ["\\'{E}", 'É'],
];
const LAYOUT = [
  '\\medskip ',
  '\\noindent ',
  '\\vspace{2cm}',
  '\\hspace*{1em}',
  '\\newpage\n',
  '\\label{x}',
  '\\index{ignorer}',
  '\\vskip 1cm plus 2mm ',
  '\\small ',
  '\\setlength{\\parindent}{0pt}',
  '{}',
  '~',
  '\\,',
  '% commentaire $ { \\begin{x}\n',
  '\\clearpage ',
  '\\hfill ',
];
const LABELS: readonly (readonly [option: string, label: (n: number) => string])[] = [
  ['', (n) => `${n}.`],
  ['[a)]', (n) => `${'abcdef'[n - 1]})`],
  ['[label=(\\roman*)]', (n) => `(${['i', 'ii', 'iii', 'iv', 'v'][n - 1]})`],
  ['[label=\\textbf{\\Alph*.}, leftmargin=*]', (n) => `${'ABCDEF'[n - 1]}.`],
  ['[Q1.]', (n) => `Q${n}.`],
  ['[label={\\arabic*)}]', (n) => `${n})`],
  ['[I.]', (n) => `${['I', 'II', 'III', 'IV', 'V'][n - 1]}.`],
];

/** Writes random TeX, and keeps a list of what it writes. */
class Writer {
  readonly words: string[] = [];
  readonly moved: string[] = [];
  readonly formulas: string[] = [];
  readonly rows: string[][] = [];
  readonly items: WrittenItem[] = [];
  readonly pictures: { name: string; isThere: boolean }[] = [];
  readonly files = new Map<string, Buffer>();
  readonly #random: Random;
  #count = 0;
  #isMoved = false;

  constructor(random: Random) {
    this.#random = random;
  }

  #int(most: number): number {
    return Math.floor(this.#random() * most);
  }

  #one<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.#int(choices.length)] as Choice;
  }

  #maybe(share: number): boolean {
    return this.#random() < share;
  }

  /** Returns a word of its own, and puts it on the list. */
  word(): string {
    this.#count += 1;
    const [written, letter] = this.#maybe(0.3) ? this.#one(ACCENTED) : ['e', 'e'];
    (this.#isMoved ? this.moved : this.words).push(`m${letter}t${this.#count}`);
    return `m${written}t${this.#count}`;
  }

  #apart(write: () => string): string {
    const outer = this.#isMoved;
    this.#isMoved = true;
    const written = write();
    this.#isMoved = outer;
    return written;
  }

  #lastWord(): string {
    return (this.#isMoved ? this.moved : this.words).at(-1) as string;
  }

  formula(): string {
    this.#count += 1;
    const n = this.#count;
    const [written, latex] = this.#one<readonly [string, string]>([
      [`x_{${n}}+1`, `x_{${n}}+1`],
      [`\\frac{a}{${n}}`, `\\frac{a}{${n}}`],
      [`\\ens{E}_{${n}}`, `\\mathcal{E}_{${n}}`],
      [`f(${n})\\in\\RR`, `f(${n})\\in\\mathbb{R}`],
      [`x^{${n}}\\text{ si $y>${n}$}`, `x^{${n}}\\text{ si $y>${n}$}`],
      [`\\left\\{${n}\\right\\}`, `\\left\\{${n}\\right\\}`],
    ]);
    this.formulas.push(latex);
    return this.#one([`$${written}$`, `\\(${written}\\)`, `$ ${written} $`]);
  }

  display(): string {
    this.#count += 1;
    const n = this.#count;
    const [before, latex, behind] = this.#one<readonly [string, string, string]>([
      ['\\[', `y_{${n}}`, '\\]'],
      ['$$', `y_{${n}}`, '$$'],
      ['\\begin{equation}', `y_{${n}}`, '\\end{equation}'],
      ['\\begin{equation*}\n', `y_{${n}}`, '\n\\end{equation*}'],
      ['\\begin{align}', `a&=${n}\\\\b&=y`, '\\end{align}'],
      ['\\begin{gather*}', `a=${n}\\\\b`, '\\end{gather*}'],
      ['\\begin{multline}', `a+${n}\\\\b`, '\\end{multline}'],
      ['\\[\\begin{cases}', `a&${n}\\\\b&y`, '\\end{cases}\\]'],
      ['\\beq ', `z_{${n}}`, '\\eeq'],
    ]);
    this.formulas.push(latex);
    return `\n${before}${latex}${behind}\n`;
  }

  inline(depth = 0): string {
    const words = (): string =>
      Array.from({ length: 1 + this.#int(4) }, () => (this.#maybe(0.2) ? this.#piece(depth) : this.word())).join(
        this.#one([' ', '\n', ' ', '~', ' %\n  ']),
      );
    return words();
  }

  #piece(depth: number): string {
    if (depth > 3) return this.word();
    const inner = (): string => this.inline(depth + 1);
    return this.#one([
      () => this.formula(),
      () => `\\emph{${inner()}}`,
      () => `\\textbf{${inner()}}`,
      () => `{\\bf ${inner()}}`,
      () => `{\\itshape ${inner()}}`,
      () => `\\textcolor{red}{${inner()}}`,
      () => `\\underline{${inner()}}`,
      () => `\\mbox{${inner()}}`,
      () => `\\href{https://a.cm/b\\%20c}{${inner()}}`,
      () => `\\inconnue{${inner()}}`,
      () => `\\gras{${inner()}}`,
      () => `\\og ${inner()}\\fg{}`,
      () => `<<${inner()}>>`,
      () => `\\footnote{${this.#apart(inner)}}`,
      () => this.#one(LAYOUT) + this.word(),
      () => this.#code(),
      () => `\\textsuperscript{${this.word()}}`,
      () => `${this.word()}\\\\[2mm]`,
    ])();
  }

  #code(): string {
    this.#count += 1;
    (this.#isMoved ? this.moved : this.words).push(`c${this.#count}`);
    return `\\verb|c${this.#count} % {|`;
  }

  paragraph(): string {
    return `${this.inline()} ${this.inline()}.`;
  }

  list(depth: number): string {
    const count = 1 + this.#int(4);
    const isNumbered = this.#maybe(0.6);
    // Below the first level, a list needs its label to be said: TeX's own depends on the lists around it.
    const [option, label] = isNumbered ? this.#one(depth === 0 ? LABELS : LABELS.slice(1)) : (['', () => null] as const);
    const written: string[] = [];
    for (let index = 1; index <= count; index += 1) {
      const word = this.word();
      this.items.push({ label: label(index), word: this.#lastWord() });
      written.push(`\\item ${word} ${this.inline()}${depth < 2 && this.#maybe(0.3) ? `\n${this.block(depth + 1)}` : ''}`);
    }
    const name = isNumbered ? 'enumerate' : 'itemize';
    return `\\begin{${name}}${option}\n${written.join('\n')}\n\\end{${name}}`;
  }

  #described(): string {
    return `\\begin{description}\\item[${this.word()}] ${this.inline()}\n\\item[${this.word()}] ${this.inline()}\\end{description}`;
  }

  table(): string {
    const columns = 1 + this.#int(4);
    const rows: string[] = [];
    for (let row = 1 + this.#int(3); row > 0; row -= 1) {
      const from = this.words.length + this.moved.length;
      const cells: string[] = [];
      for (let column = 0; column < columns; column += 1) {
        const isWide = column + 1 < columns && this.#maybe(0.2);
        const cell = this.#maybe(0.2) ? `\\textbf{${this.word()}}` : this.word();
        cells.push(isWide ? `\\multicolumn{2}{|c|}{${cell}}` : cell);
        if (isWide) column += 1;
      }
      const words = this.#isMoved ? this.moved : this.words;
      this.rows.push(words.slice(from - (this.#isMoved ? this.words.length : this.moved.length)));
      rows.push(cells.join(' & '));
    }
    const [name, before] = this.#one([
      ['tabular', '{|*{9}{c|}}'],
      ['tabular', '[t]{l@{ : }cp{3cm}r}'],
      ['tabularx', '{\\textwidth}{XXXX}'],
      ['longtable', '{llll}'],
    ] as const);
    return `\\begin{${name}}${before}\\hline\n${rows.join(' \\\\ \\hline\n')}${this.#one(['', '\\\\', '\\\\\\hline'])}\n\\end{${name}}`;
  }

  picture(): string {
    this.#count += 1;
    const name = `image${this.#count}`;
    const isThere = this.#maybe(0.6);
    if (isThere) this.files.set(`figures/${name}.png`, Buffer.from(`png ${name}`));
    this.pictures.push({ name, isThere });
    const command = `\\includegraphics[width=${this.#one(['5cm', '0.5\\textwidth'])}]{${this.#one(['', 'figures/'])}${name}${this.#one(['', '.png'])}}`;
    return this.#maybe(0.5)
      ? command
      : `\\begin{figure}[h]\\centering ${command}\\caption{${this.#apart(() => this.inline())}}\\end{figure}`;
  }

  environment(depth: number): string {
    const name = this.#one([
      'thm',
      'definition',
      'proposition',
      'Remarque',
      'proof',
      'exemple',
      'corollaire',
      'exercice',
      'center',
      'quote',
      'multicols',
      'machin',
      'boite',
      'minipage',
    ]);
    const note = /^(?:thm|definition|exercice)$/.test(name) && this.#maybe(0.4) ? `[${this.word()}]` : '';
    const argument = name === 'multicols' ? '{2}' : name === 'minipage' ? '[t]{5cm}' : '';
    const content = this.blocks(depth + 1, 2);
    const solved = name === 'exercice' && this.#maybe(0.4) ? `\n\\begin{solution}${this.#apart(() => this.inline())}\\end{solution}\n` : '';
    return `\\begin{${name}}${note}${argument}\n${content}${solved}\\end{${name}}`;
  }

  block(depth: number): string {
    const all = [
      () => this.paragraph(),
      () => this.paragraph(),
      () => this.display(),
      () => this.table(),
      () => this.picture(),
      () => `\\begin{verbatim}\n${this.#line()} % \\foo {\n\\end{verbatim}`,
      () => `\\begin{lstlisting}[language=Python]\n${this.#line()}\n\\end{lstlisting}`,
      () => `\\begin{tikzpicture}\\node {${this.#line()}};\\end{tikzpicture}`,
    ];
    const nested = [() => this.list(depth), () => this.list(depth), () => this.#described(), () => this.environment(depth)];
    return this.#one(depth < 3 ? [...all, ...nested] : all)();
  }

  #line(): string {
    this.#count += 1;
    (this.#isMoved ? this.moved : this.words).push(`l${this.#count}`);
    return `l${this.#count}`;
  }

  blocks(depth: number, most: number): string {
    return Array.from({ length: 1 + this.#int(most) }, () => this.block(depth)).join(this.#one(['\n\n', '\n\n\n', '\n%\n\n', '\n\\par ']));
  }

  heading(): string {
    const name = this.#one(['section', 'subsection', 'subsubsection*', 'paragraph', 'section*', 'chapter']);
    return `\\${name}{${this.inline(2)}}\n`;
  }

  body(): string {
    let written = '';
    for (let part = 1 + this.#int(4); part > 0; part -= 1) {
      if (this.#maybe(0.6)) written += this.heading();
      written += `${this.blocks(0, 4)}\n\n`;
    }
    return written;
  }
}

/** Returns a random TeX file. Its words, formulas, cells and labels are all different. */
export function randomTex(random: Random): RandomTex {
  const writer = new Writer(random);
  const { words, moved, formulas, rows, items, pictures, files } = writer;
  const body = writer.body();
  let text = body;
  if (random() < 0.2) {
    files.set('parties/suite.tex', Buffer.from(body));
    text = '\\input{parties/suite}';
  }
  const preamble = String.raw`\documentclass[a4paper]{book}
% Mes commandes
\usepackage[utf8]{inputenc}
\newtheorem{thm}{Th\'eor\`eme}[section]
\newcommand{\RR}{\mathbb{R}}
\newcommand{\ens}[1]{\mathcal{#1}}
\newcommand*{\gras}[1]{%
  \textbf{#1}}
\def\beq{\begin{equation}}
\def\eeq{\end{equation}}
\newenvironment{boite}{\begin{center}}{\end{center}}
`;
  const source = `${preamble}\\begin{document}\n${text}\\end{document}\n`;
  return { source, files, words, moved, formulas, rows, items, pictures };
}
