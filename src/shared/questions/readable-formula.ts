/** What is written for a LaTeX command. */
const commands: Readonly<Record<string, string>> = {
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  leq: '≤',
  le: '≤',
  geq: '≥',
  ge: '≥',
  neq: '≠',
  ne: '≠',
  approx: '≈',
  infty: '∞',
  to: '→',
  rightarrow: '→',
  in: '∈',
  pi: 'π',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  Delta: 'Δ',
  theta: 'θ',
  lambda: 'λ',
  mu: 'μ',
  sigma: 'σ',
  omega: 'ω',
  Omega: 'Ω',
  quad: ' ',
  '%': '%',
  ',': ' ',
};

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const lowered = '₀₁₂₃₄₅₆₇₈₉';
const inDigits = (digits: string, number: string): string => number.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);

/** Returns digits as an exponent. */
export const raisedDigits = (number: string): string => inDigits(raised, number);
/** Returns digits as an index. */
export const loweredDigits = (number: string): string => inDigits(lowered, number);

/** Returns a formula as text that needs no typesetting, such as `x² + 3 ≤ π`; null for any other. @param latex as the author typed it */
export function readableFormula(latex: string): string | null {
  const written = latex
    .replaceAll('{,}', ',')
    .replaceAll(/\\([A-Za-z]+|[%,])/g, (whole, name: string) => commands[name] ?? whole)
    .replaceAll(/\^(?:\{(\d+)\}|(\d))/g, (_whole, group?: string, digit?: string) => raisedDigits(group ?? digit ?? ''))
    .replaceAll(/_(?:\{(\d+)\}|(\d))/g, (_whole, group?: string, digit?: string) => loweredDigits(group ?? digit ?? ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /[\\{}^_&~]/.test(written) ? null : written;
}
