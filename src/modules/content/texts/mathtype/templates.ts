import { delimited, matrixWithin } from '../../../../shared/omml/delimiters.ts';
import { base, braced, join, script } from '../../../../shared/omml/join.ts';
import { WITH_LIMITS } from '../../../../shared/omml/symbols.ts';
import { UnreadableEquation } from './compound-file.ts';
import { type MatrixRecord, type PileRecord, Selector as S, type Slot, type TemplateRecord, type Write } from './records.ts';
import { cellRows, environment, hasLines, rowsOf } from './tables.ts';

const [LOWER, UPPER, SUM_STYLE] = [0x10, 0x20, 0x40];

const FENCES: Readonly<Record<number, readonly [open: string, close: string]>> = {
  [S.angle]: ['⟨', '⟩'],
  [S.paren]: ['(', ')'],
  [S.brace]: ['{', '}'],
  [S.bracket]: ['[', ']'],
  [S.bar]: ['|', '|'],
  [S.doubleBar]: ['‖', '‖'],
  [S.floor]: ['⌊', '⌋'],
  [S.ceiling]: ['⌈', '⌉'],
  [S.openBracket]: ['⟦', '⟧'],
};
const INTERVAL_SIGNS = ['(', ')', '[', ']'];

const OPERATORS: Readonly<Record<number, string>> = {
  [S.sum]: '\\sum',
  [S.product]: '\\prod',
  [S.coproduct]: '\\coprod',
  [S.union]: '\\bigcup',
  [S.intersection]: '\\bigcap',
};
const INTEGRALS = ['\\int', '\\int', '\\iint', '\\iiint'];
const LOOPS = ['\\oint', '\\oint', '\\oiint', '\\oiiint'];
const TURNING: Readonly<Record<number, string>> = { 8: '\\varointclockwise', 12: '∳' };

const TALL: ReadonlySet<number> = new Set([
  S.fraction,
  S.root,
  S.arrow,
  S.integral,
  S.sum,
  S.product,
  S.coproduct,
  S.union,
  S.intersection,
  S.integralOperator,
  S.sumOperator,
  S.limit,
  S.horizontalBrace,
  S.horizontalBracket,
  S.longDivision,
  S.box,
]);

/** Returns LaTeX for a template that is no script. @throws UnreadableEquation when its selector is unknown */
export function templateLatex(template: TemplateRecord, write: Write): string {
  const { selector, variation, slots } = template;
  const main = () => write(slots[0] ?? []);
  const has = (bit: number): boolean => (variation & bit) !== 0;
  switch (selector) {
    case S.interval:
      return fenced(template, INTERVAL_SIGNS[variation & 3] ?? '(', INTERVAL_SIGNS[(variation >> 4) & 3] ?? ')', write);
    case S.root: {
      const degree = has(1) ? write(slots[1] ?? []) : '';
      return `\\sqrt${degree === '' ? '' : `[${/[[\]]/.test(degree) ? braced(degree) : degree}]`}${braced(main())}`;
    }
    case S.fraction:
      return fraction(variation, main(), write(slots[1] ?? []));
    case S.underbar:
      return twice(has(1), '\\underline', main());
    case S.overbar:
      return twice(has(1), '\\overline', main());
    case S.arrow:
      return arrow(template, write);
    case S.limit:
      return limit(template, write);
    case S.horizontalBrace:
    case S.horizontalBracket: {
      const kind = selector === S.horizontalBrace ? 'brace' : 'bracket';
      const label = write(slots[1] ?? []);
      return join([`\\${has(1) ? 'over' : 'under'}${kind}${braced(main())}`, label === '' ? '' : script(has(1) ? '^' : '_', label)]);
    }
    case S.longDivision: {
      const quotient = write(slots[1] ?? []);
      const division = `\\overline{\\smash{)}${braced(main())}}`;
      return quotient === '' ? division : `\\overset${braced(quotient)}${braced(division)}`;
    }
    case S.dirac: {
      const [left, right] = [has(1) ? write(slots[0] ?? []) : '', has(2) ? write(slots[1] ?? slots[0] ?? []) : ''];
      return join([has(1) ? '\\langle' : '', left, '|', right, has(2) ? '\\rangle' : '']);
    }
    case S.vector:
      return vector(variation, main());
    case S.tilde:
      return `\\widetilde${braced(main())}`;
    case S.hat:
      return `\\widehat${braced(main())}`;
    case S.arc:
      return `\\overparen${braced(main())}`;
    case S.jointStatus:
      return `\\overbracket${braced(main())}`;
    case S.strike: {
      const through = has(1) && !has(6) ? `\\sout${braced(main())}` : main();
      const command = has(2) && has(4) ? '\\xcancel' : has(2) ? '\\cancel' : has(4) ? '\\bcancel' : '';
      return command === '' ? through : `${command}${braced(through)}`;
    }
    case S.box:
      return boxed(variation, main());
    default: {
      const fence = FENCES[selector];
      if (fence) return fenced(template, has(1) ? fence[0] : '', has(2) ? fence[1] : '', write);
      return bigOperator(template, write);
    }
  }
}

function fraction(variation: number, over: string, under: string): string {
  const [isSmall, isSlash, isOnLine] = [(variation & 1) !== 0, (variation & 2) !== 0, (variation & 4) !== 0];
  if (isSlash && isOnLine) return join([base(over), '/', base(under)]);
  if (isSlash) return `{}^${braced(over)}\\!/\\!{}_${braced(under)}`;
  return `${isSmall ? '\\tfrac' : '\\frac'}${braced(over)}${braced(under)}`;
}

const twice = (isDouble: boolean, command: string, latex: string): string => {
  const once = `${command}${braced(latex)}`;
  return isDouble ? `${command}${braced(once)}` : once;
};

/** Returns content in brackets. Around a table alone, the brackets belong to its environment. */
function fenced({ slots }: TemplateRecord, open: string, close: string, write: Write): string {
  const content = slots[0] ?? [];
  const [only, ...others] = content;
  if (only && others.length === 0) {
    const table = only.type === 'matrix' || only.type === 'pile' ? inBrackets(only, open, close, write) : null;
    if (table !== null) return table;
  }
  return delimited(open, close, '', [write(content)], isTall(content));
}

function inBrackets(table: MatrixRecord | PileRecord, open: string, close: string, write: Write): string | null {
  if (table.type === 'pile') return open === '{' && close === '' ? environment('cases', rowsOf(table, write, 'cases')) : null;
  if (hasLines(table)) return null;
  const isSystem = open === '{' && close === '' && table.columns <= 2;
  const name = isSystem ? 'cases' : table.align === 'center' || table.columns === 1 ? matrixWithin(open, close) : undefined;
  return name === undefined ? null : environment(name, cellRows(table, write));
}

function isTall(slot: Slot): boolean {
  return slot.some(
    (record) =>
      record.type === 'matrix' ||
      record.type === 'pile' ||
      (record.type === 'template' && (TALL.has(record.selector) || record.slots.some(isTall))),
  );
}

function bigOperator(template: TemplateRecord, write: Write): string {
  const { selector, variation, slots } = template;
  const [hasLower, hasUpper, isAbove] = [(variation & LOWER) !== 0, (variation & UPPER) !== 0, (variation & SUM_STYLE) !== 0];
  const isIntegral = selector === S.integral;
  const sign = isIntegral ? integralSign(variation) : OPERATORS[selector];
  const isFree = selector === S.integralOperator || selector === S.sumOperator;
  if (sign === undefined && !isFree) throw new UnreadableEquation(`template ${selector}`);
  const operator = sign ?? `\\mathop${braced(write(slots[3] ?? template.chars))}`;
  const [lower, upper] = limits(slots, hasLower, hasUpper, write);
  const place =
    lower + upper === '' || isAbove === !(isIntegral || selector === S.integralOperator) ? '' : isAbove ? '\\limits' : '\\nolimits';
  const operand = write(slots[0] ?? []);
  return join([operator, place, lower, upper, operand === '' ? '' : ` ${operand}`]);
}

function integralSign(variation: number): string {
  const count = variation & 3;
  const loop = variation & 0x0c;
  return loop === 0 ? (INTEGRALS[count] ?? '\\int') : count <= 1 && TURNING[loop] ? TURNING[loop] : (LOOPS[count] ?? '\\oint');
}

/** Returns lower and upper limit, with their signs. A template with one limit may have one slot or two for them. */
function limits(slots: readonly Slot[], hasLower: boolean, hasUpper: boolean, write: Write): [lower: string, upper: string] {
  const given = slots.slice(1, 3);
  const [first, second] = hasLower && hasUpper ? given : hasUpper ? [[], given.findLast(isFilled)] : [given.find(isFilled), []];
  const [lower, upper] = [write(first ?? []), write(second ?? [])];
  return [lower === '' ? '' : script('_', lower), upper === '' ? '' : script('^', upper)];
}

const isFilled = (slot: Slot): boolean => slot.length > 0;

function limit({ slots, variation }: TemplateRecord, write: Write): string {
  const content = write(slots[0] ?? []);
  const [lower, upper] = limits(slots, (variation & LOWER) !== 0, (variation & UPPER) !== 0, write);
  const [, operator, command] = /^\\(?:operatorname\{([A-Za-z ]+)\}|([A-Za-z]+))$/.exec(content) ?? [];
  if (command !== undefined && WITH_LIMITS.has(command)) return join([content, lower, upper]);
  if (operator !== undefined) return join([`\\operatorname*{${operator}}`, lower, upper]);
  const below = lower === '' ? content : `\\underset${unsigned(lower)}${braced(content)}`;
  return upper === '' ? below : `\\overset${unsigned(upper)}${braced(below)}`;
}

/** Returns a limit as an argument, without its sign. */
const unsigned = (limit: string): string => (limit[1] === '{' ? limit.slice(1) : braced(limit.replace(/^[_^]/, '')));

function arrow({ variation, slots }: TemplateRecord, write: Write): string {
  const has = (bit: number): boolean => (variation & bit) !== 0;
  const [top, bottom] = [has(4), has(8)];
  const both = top && bottom;
  const [over, under] = both ? [slots[0], slots[1]] : top ? [slots.find(isFilled), []] : [[], slots.find(isFilled)];
  const [above, below] = [write(over ?? []), write(under ?? [])];
  if (has(1) && !has(2)) {
    const paired = below === '' ? '\\rightleftarrows' : `\\underset${braced(below)}{\\rightleftarrows}`;
    return above === '' ? `\\mathrel${braced(paired)}` : `\\mathrel{\\overset${braced(above)}${braced(paired)}}`;
  }
  const command = has(2)
    ? '\\xrightleftharpoons'
    : has(0x10) && has(0x20)
      ? '\\xleftrightarrow'
      : has(0x10)
        ? '\\xleftarrow'
        : '\\xrightarrow';
  return `${command}${below === '' ? '' : `[${/[[\]]/.test(below) ? braced(below) : below}]`}${braced(above)}`;
}

function vector(variation: number, content: string): string {
  const [left, right, isUnder, isHarpoon] = [1, 2, 4, 8].map((bit) => (variation & bit) !== 0);
  if (isHarpoon && isUnder) return `\\underset{\\${left ? 'leftharpoonup' : 'rightharpoonup'}}${braced(content)}`;
  if (isHarpoon) return `\\${left ? 'overleftharpoon' : 'overrightharpoon'}${braced(content)}`;
  const direction = left && right ? 'leftrightarrow' : left ? 'leftarrow' : 'rightarrow';
  const isLetter = /^(?:[A-Za-z]|\\[A-Za-z]+)$/.test(content);
  return isLetter && direction === 'rightarrow' && !isUnder
    ? `\\vec${braced(content)}`
    : `\\${isUnder ? 'under' : 'over'}${direction}${braced(content)}`;
}

/** Returns content in a box. A box with some sides only is drawn by bars. */
function boxed(variation: number, content: string): string {
  const [left, right, top, bottom] = [2, 4, 8, 16].map((bit) => (variation & bit) !== 0);
  if (left && right && top && bottom) return `\\boxed${braced(content)}`;
  const under = bottom ? `\\underline${braced(content)}` : content;
  const over = top ? `\\overline${braced(under)}` : under;
  return left || right ? `\\left${left ? '|' : '.'}${over}\\right${right ? '|' : '.'}` : over;
}
