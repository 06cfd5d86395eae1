/** Longest formula as written, in characters. */
const reach = 6_000;

const ENVIRONMENT =
  /\\begin[ \t]*\{((?:equation|align|aligned|alignat|alignedat|gather|gathered|multline|eqnarray|flalign|split|array|d?cases|rcases|math|displaymath|dmath|(?:small|[bpvBV])?matrix)\*?)\}/y;

export interface FormulaSource {
  readonly latex: string;
  readonly environment: string | null;
  readonly displayed: boolean;
  /** Offset behind it. */
  readonly end: number;
}

/** Returns the formula that begins at an offset: between dollars or TeX's other delimiters, or an environment; null when there is none. */
export function formulaAt(text: string, at: number): FormulaSource | null {
  if (text.startsWith('$$', at)) return between(text, at, '$$', true);
  if (text[at] === '$') return between(text, at, '$', false);
  if (text.startsWith('\\[', at)) return between(text, at, '\\]', true);
  if (text.startsWith('\\(', at)) return between(text, at, '\\)', false);
  ENVIRONMENT.lastIndex = at;
  const found = ENVIRONMENT.exec(text);
  return found ? environmentAt(text, ENVIRONMENT.lastIndex, found[1] as string) : null;
}

function between(text: string, at: number, close: string, displayed: boolean): FormulaSource | null {
  const from = at + (displayed || close === '\\)' ? 2 : 1);
  let depth = 0;
  for (let end = from; end < text.length && end - from < reach; end += 1) {
    const sign = text[end] as string;
    if (depth === 0 && text.startsWith(close, end)) return found(text, from, end, close, displayed);
    if (sign === '\\') {
      // Another opening delimiter: this one was never closed.
      if (depth === 0 && /[[(]/.test(text[end + 1] ?? '') && close.startsWith('\\')) return null;
      end += 1;
    } else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    // A formula never spans two paragraphs, but its closing bracket is clear enough.
    else if (sign === '\n' && close !== '\\]' && /^\n[ \t]*\n/.test(text.slice(end, end + 80))) return null;
    if (depth < 0) return null;
  }
  return null;
}

function found(text: string, from: number, to: number, close: string, displayed: boolean): FormulaSource | null {
  const latex = text.slice(from, to);
  return latex.trim() === '' ? null : { latex, environment: null, displayed, end: to + close.length };
}

function environmentAt(text: string, from: number, name: string): FormulaSource | null {
  const signs = new RegExp(`\\\\(begin|end)[ \\t]*\\{${name.replace('*', '\\*')}\\}`, 'g');
  signs.lastIndex = from;
  let depth = 1;
  for (let sign = signs.exec(text); sign && sign.index - from < reach; sign = signs.exec(text)) {
    depth += sign[1] === 'begin' ? 1 : -1;
    if (depth === 0) {
      const latex = text.slice(from, sign.index);
      return latex.trim() === '' ? null : { latex, environment: name, displayed: name !== 'math', end: signs.lastIndex };
    }
  }
  return null;
}
