import { delimited, matrixWithin } from './delimiters.ts';
import { base, braced, join, joinRow, script } from './join.ts';
import { type RunStyle, runLatex, textLatex } from './run.ts';
import { joinedNumbers, textOf } from './run-text.ts';
import { ACCENTS, INTEGRALS, LARGE_OPERATORS, LONG_ARROWS, UNDER, WITH_LIMITS } from './symbols.ts';
import { child, elementsOf, isOn, nameOf, property } from './xml.ts';

/**
 * Returns LaTeX for one equation of Word, an `m:oMath` (ECMA-376 part 1, §22.1); '' for an empty equation. Known elements are converted by
 * their own rules; of an unknown element, only the content is converted.
 */
export function ommlToLatex(math: Element): string {
  return new Converter(isWrittenUpright(math)).row(math).trim();
}

/**
 * Returns whether all letters are marked upright without a font. Programs other than Word do this without meaning upright; Word always
 * names the font.
 */
function isWrittenUpright(math: Element): boolean {
  const runs = Array.from(math.getElementsByTagName('*')).filter((element) => nameOf(element) === 'r');
  const letters = runs.filter((run) => /[A-Za-z]/.test(run.textContent ?? ''));
  return letters.every((run) => {
    const properties = elementsOf(run).filter((element) => nameOf(element) === 'rPr');
    return properties.length === 1 && /^(?:p|b|bi)$/.test(property(properties[0], 'sty') ?? '') && !child(properties[0], 'rFonts');
  });
}

const OVER_CHARACTER = '\u0302';
const BRACE_UNDER = '⏟';

const EVERY_STYLE: ReadonlySet<string> = new Set(['p', 'b', 'bi', 'i']);
const ALPHABETS: ReadonlySet<string> = new Set(['script', 'fraktur', 'double-struck', 'sans-serif', 'monospace']);
/** Elements higher than a line: brackets around them stretch. */
const TALL: ReadonlySet<string> = new Set(['f', 'm', 'eqArr', 'nary', 'limLow', 'limUpp', 'groupChr', 'rad', 'sPre', 'borderBox']);

class Converter {
  readonly #uprightMeansNothing: boolean;

  constructor(uprightMeansNothing: boolean) {
    this.#uprightMeansNothing = uprightMeansNothing;
  }

  /** Returns the LaTeX of an element's children. */
  row(parent: Element | undefined, isName = false): string {
    return joinRow(joinedNumbers(elementsOf(parent)).map((element) => this.#element(element, isName)));
  }

  #element(element: Element | { text: string; run: Element }, isName: boolean): string {
    if ('run' in element) return runLatex(element.text, this.#style(element.run), isName);
    const rule = this.#rules[nameOf(element)];
    return rule ? rule(element, isName) : this.row(element, isName);
  }

  readonly #rules: Record<string, (element: Element, isName: boolean) => string> = {
    r: (run, isName) =>
      /^m:|^r$/.test(run.nodeName) || isMathRun(run) ? runLatex(textOf(run), this.#style(run), isName) : textLatex(textOf(run)),
    acc: (acc) => this.#accent(acc),
    bar: (bar) => join([property(child(bar, 'barPr'), 'pos') === 'top' ? '\\overline' : '\\underline', braced(this.#e(bar))]),
    borderBox: (box) => this.#borderBox(box),
    box: (box) => this.#e(box),
    d: (d) => this.#delimiters(d),
    eqArr: (array) => this.#equations(array),
    f: (fraction) => this.#fraction(fraction),
    func: (func) => join([this.row(child(func, 'fName'), true), argument(this.#e(func))]),
    groupChr: (group) => this.#grouped(group),
    limLow: (limit) => this.#limit(limit, '_'),
    limUpp: (limit) => this.#limit(limit, '^'),
    m: (matrix) => this.#matrix(matrix, 'matrix'),
    nary: (nary) => this.#nary(nary),
    phant: (phantom) => this.#phantom(phantom),
    rad: (radical) => this.#radical(radical),
    sPre: (pre) => join(['{}', this.#script(pre, 'sub', '_'), this.#script(pre, 'sup', '^'), braced(this.#e(pre))]),
    sSub: (sub, isName) => join([base(this.#e(sub, isName)), this.#script(sub, 'sub', '_')]),
    sSup: (sup, isName) => join([base(this.#e(sup, isName)), this.#script(sup, 'sup', '^')]),
    sSubSup: (both, isName) => join([base(this.#e(both, isName)), this.#script(both, 'sub', '_'), this.#script(both, 'sup', '^')]),
    del: () => '',
    ...Object.fromEntries(['rPr', 'ctrlPr', 'argPr', 'oMathParaPr', 'moveFrom'].map((name) => [name, () => ''])),
  };

  #e(element: Element, isName = false): string {
    return this.row(child(element, 'e'), isName);
  }

  #script(element: Element, name: 'sub' | 'sup', sign: '_' | '^'): string {
    const latex = this.row(child(element, name));
    return latex === '' ? '' : script(sign, latex);
  }

  #style(run: Element): RunStyle {
    const properties =
      elementsOf(run).find((element) => nameOf(element) === 'rPr' && element.nodeName.startsWith('m')) ?? child(run, 'rPr');
    const weight = property(properties, 'sty') ?? '';
    const alphabet = property(properties, 'scr') ?? '';
    const isPlain = weight === 'p' && !this.#uprightMeansNothing;
    const isWord = /[A-Za-z]{2}/.test(textOf(run));
    return {
      weight: EVERY_STYLE.has(weight) && (weight !== 'p' || isPlain || isWord) ? (weight as RunStyle['weight']) : 'i',
      alphabet: ALPHABETS.has(alphabet) ? (alphabet as RunStyle['alphabet']) : 'roman',
      isText: isOn(properties, 'nor'),
    };
  }

  #accent(acc: Element): string {
    const content = this.#e(acc);
    const character = property(child(acc, 'accPr'), 'chr') ?? OVER_CHARACTER;
    if (character === '') return content;
    const commands = ACCENTS.get(character);
    if (commands) return join([commands[/^(?:[A-Za-z]|\\[A-Za-z]+)$/.test(content) ? 0 : 1], braced(content)]);
    const below = UNDER.get(character);
    return below ? join([below, braced(content)]) : this.#beside('^', content, runLatex(character, ITALIC, false));
  }

  #borderBox(box: Element): string {
    const properties = child(box, 'borderBoxPr');
    const content = this.#e(box);
    const [up, down] = [isOn(properties, 'strikeBLTR'), isOn(properties, 'strikeTLBR')];
    const through = isOn(properties, 'strikeH') ? `\\sout${braced(content)}` : content;
    const struck =
      up && down ? `\\xcancel${braced(through)}` : up ? `\\cancel${braced(through)}` : down ? `\\bcancel${braced(through)}` : through;
    const hidden = ['hideTop', 'hideBot', 'hideLeft', 'hideRight'].every((side) => isOn(properties, side));
    return hidden ? struck : `\\boxed${braced(struck)}`;
  }

  #delimiters(d: Element): string {
    const properties = child(d, 'dPr');
    const [open, close] = [property(properties, 'begChr') ?? '(', property(properties, 'endChr') ?? ')'];
    const contents = elementsOf(d).filter((element) => nameOf(element) === 'e');
    const [only, ...others] = contents.flatMap(elementsOf).filter((element) => nameOf(element) !== 'ctrlPr');
    if (only && others.length === 0) {
      const matrix = nameOf(only) === 'm' && matrixWithin(open, close);
      if (matrix) return this.#matrix(only, matrix);
      if (nameOf(only) === 'eqArr' && open === '{' && close.trim() === '') return this.#equations(only, 'cases');
      if (nameOf(only) === 'm' && open === '{' && close.trim() === '') return this.#matrix(only, 'cases');
      if (nameOf(only) === 'f' && open + close === '()' && property(child(only, 'fPr'), 'type') === 'noBar')
        return this.#fraction(only, '\\binom');
    }
    const isTall = contents.some((content) => Array.from(content.getElementsByTagName('*')).some((inner) => TALL.has(nameOf(inner))));
    const separator = property(properties, 'sepChr') ?? '|';
    return delimited(
      open,
      close,
      runSeparator(separator),
      contents.map((content) => this.row(content)),
      isTall,
    );
  }

  /** Returns equations below each other; `&` in them marks the alignment. */
  #equations(array: Element, environment?: 'cases'): string {
    const rows = elementsOf(array)
      .filter((element) => nameOf(element) === 'e')
      .map((row) => this.row(row).replaceAll('\\&', '&'));
    const columns = Math.max(...rows.map((row) => row.split('&').length));
    if (environment && columns <= 2) return wrapped(environment, rows);
    const aligned = wrapped(columns > 1 ? 'aligned' : 'gathered', rows);
    return environment ? `\\left\\{${aligned}\\right.` : aligned;
  }

  #fraction(fraction: Element, command = '\\frac'): string {
    const [over, under] = [this.row(child(fraction, 'num')), this.row(child(fraction, 'den'))];
    const type = property(child(fraction, 'fPr'), 'type');
    if (type === 'lin') return join([base(over), '/', base(under)]);
    if (type === 'skw') return `{}^{${over}}\\!/\\!{}_{${under}}`;
    if (type === 'noBar' && command === '\\frac') return `\\genfrac{}{}{0pt}{}{${over}}{${under}}`;
    return `${command}${braced(over)}${braced(under)}`;
  }

  /** Returns a group with a character over or under it: a brace, an arrow, or a stretched arrow with the group as its label. */
  #grouped(group: Element): string {
    const properties = child(group, 'groupChrPr');
    const character = property(properties, 'chr') ?? BRACE_UNDER;
    const isOver = property(properties, 'pos') === 'top';
    const content = this.#e(group);
    if (character === '') return content;
    const arrow = LONG_ARROWS.get(character);
    // The group is the label of an arrow on the baseline.
    if (arrow && property(properties, 'vertJc') === (isOver ? 'top' : 'bot'))
      return isOver ? `${arrow}[${content}]{}` : `${arrow}${braced(content)}`;
    const command = isOver ? ACCENTS.get(character)?.[1] : UNDER.get(character);
    return command ? join([command, braced(content)]) : this.#beside(isOver ? '^' : '_', content, runLatex(character, ITALIC, false));
  }

  #limit(limit: Element, sign: '_' | '^'): string {
    const content = this.#e(limit, isOperatorName(child(limit, 'e')));
    const bound = child(limit, 'lim');
    // Some programs write a brace as the lower or upper limit.
    const character = (bound?.textContent ?? '').trim();
    const command = sign === '_' ? UNDER.get(character) : ACCENTS.get(character)?.[1];
    if (command && character !== '→' && character !== '←') return join([command, braced(content)]);
    const latex = this.row(bound);
    const name = /^\\(?:operatorname\{([A-Za-z ]+)\}|([A-Za-z]+))$/.exec(content);
    if (name?.[2] && WITH_LIMITS.has(name[2])) return join([content, script(sign, latex)]);
    if (name?.[1]) return join([`\\operatorname*{${name[1]}}`, script(sign, latex)]);
    const carriesLabel = sign === '_' ? /^\\under(?:brace|bracket|paren)\{/ : /^\\over(?:brace|bracket|paren)\{/;
    return carriesLabel.test(content) ? join([content, script(sign, latex)]) : this.#beside(sign, content, latex);
  }

  #beside(sign: '_' | '^', content: string, latex: string): string {
    return `${sign === '_' ? '\\underset' : '\\overset'}${braced(latex)}${braced(content)}`;
  }

  #matrix(matrix: Element, environment: string): string {
    const rows = elementsOf(matrix)
      .filter((element) => nameOf(element) === 'mr')
      .map((row) =>
        elementsOf(row)
          .filter((element) => nameOf(element) === 'e')
          .map((cell) => this.row(cell))
          .join(' & '),
      );
    // `cases` has at most two columns.
    if (environment === 'cases' && rows.some((row) => row.split(' & ').length > 2)) return `\\left\\{${wrapped('matrix', rows)}\\right.`;
    return wrapped(environment, rows);
  }

  #nary(nary: Element): string {
    const properties = child(nary, 'naryPr');
    const character = property(properties, 'chr') ?? '∫';
    const isIntegral = INTEGRALS.test(character);
    const place = property(properties, 'limLoc');
    const operator = character === '' ? '{}' : (LARGE_OPERATORS.get(character) ?? `\\mathop${braced(runLatex(character, ITALIC, false))}`);
    // Ignores `subHide` and `supHide`: in Word's files a hidden limit is empty, but other programs hide limits that have content.
    const [sub, sup] = [this.#script(nary, 'sub', '_'), this.#script(nary, 'sup', '^')];
    const moved =
      sub + sup === '' ? '' : place === 'undOvr' && isIntegral ? '\\limits' : place === 'subSup' && !isIntegral ? '\\nolimits' : '';
    return join([operator, moved, sub, sup, argument(this.#e(nary))]);
  }

  #phantom(phantom: Element): string {
    const properties = child(phantom, 'phantPr');
    const content = this.#e(phantom);
    const isShown = property(properties, 'show') === null || isOn(properties, 'show');
    const isFlat = isOn(properties, 'zeroAsc') && isOn(properties, 'zeroDesc');
    if (isShown) return isFlat ? `\\smash${braced(content)}` : content;
    if (isOn(properties, 'zeroWid')) return `\\vphantom${braced(content)}`;
    return isFlat ? `\\hphantom${braced(content)}` : `\\phantom${braced(content)}`;
  }

  #radical(radical: Element): string {
    const degree = isOn(child(radical, 'radPr'), 'degHide') ? '' : this.row(child(radical, 'deg'));
    return `\\sqrt${degree === '' ? '' : `[${/[[\]]/.test(degree) ? braced(degree) : degree}]`}${braced(this.#e(radical))}`;
  }
}

const ITALIC: RunStyle = { weight: 'i', alphabet: 'roman', isText: false };

/** Returns an operand after an operator's limits; the space keeps the LaTeX readable. */
const argument = (latex: string): string => (latex === '' ? '' : ` ${latex}`);

const wrapped = (environment: string, rows: readonly string[]): string =>
  `\\begin{${environment}} ${rows.join(' \\\\ ')} \\end{${environment}}`;

const runSeparator = (separator: string): string =>
  separator === '|' || separator === '' ? separator : runLatex(separator, ITALIC, false);

/** Returns whether a run is mathematics: an equation may also contain ordinary text runs of Word. */
const isMathRun = (run: Element): boolean => run.namespaceURI?.includes('/math') ?? false;

function isOperatorName(e: Element | undefined): boolean {
  const runs = elementsOf(e).filter((element) => nameOf(element) !== 'ctrlPr');
  const [only] = runs;
  return (
    runs.length === 1 &&
    only !== undefined &&
    nameOf(only) === 'r' &&
    /^[A-Za-z]{2,}$/.test(textOf(only).trim()) &&
    property(child(only, 'rPr'), 'sty') === 'p'
  );
}
