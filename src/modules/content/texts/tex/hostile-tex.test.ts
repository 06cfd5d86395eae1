import t from 'tap';
import { trimmedLatex } from '../../../../shared/formulas/trimmed-latex.ts';
import { Macros } from '../macros/macros.ts';
import { readDefinitions } from '../macros/read-definitions.ts';
import { ExpandedText } from './expand.ts';
import { HiddenParts } from './hidden.ts';
import { withOwnLabels } from './list-label.ts';

// Property: twice the text takes about twice the time, and a short text never becomes a long one.

/** Returns the processor time of a call, in ms: the least of two, since the first one also compiles. */
function cost(run: () => void): number {
  const costs = [0, 1].map(() => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

const expanded = (source: string): ExpandedText => {
  const { macros, text } = readDefinitions(source);
  return new ExpandedText(text, 1, macros, new Map());
};
const hide = (source: string): string => new HiddenParts().hide(source);

t.test('the time grows with the length of the text, and not with its square', async (t) => {
  const cases: [name: string, count: number, run: (count: number) => void][] = [
    ['blank lines before a definition', 10_000, (count) => readDefinitions(`${'\n'.repeat(count)}x\n\\def\\a{x}`)],
    ['definitions that are not understood', 5_000, (count) => readDefinitions('\\def 5\n'.repeat(count))],
    ['formulas of definitions', 20_000, (count) => readDefinitions('$\\def\\a{x}$\n'.repeat(count))],
    ['code that does not end', 10_000, (count) => hide('\\begin{verbatim}'.repeat(count))],
    ['addresses that do not end', 20_000, (count) => hide('\\url{'.repeat(count))],
    ['options of lists that do not end', 20_000, (count) => withOwnLabels('\\begin{enumerate}['.repeat(count))],
    ['labels of lists that do not end', 20_000, (count) => withOwnLabels('\\begin{enumerate}\\def\\labelenumi{{'.repeat(count))],
    ['backslashes at the end of formulas', 20_000, (count) => trimmedLatex(`${'\\'.repeat(count)}x${'\\ '.repeat(count)}`)],
    ['own commands', 20_000, (count) => expanded(`\\def\\a{b}\n${'x\\a '.repeat(count)}`)],
  ];
  for (const [name, count, run] of cases) {
    const once = cost(() => run(count));
    const twice = cost(() => run(2 * count));
    // Collecting garbage may cost 100 ms at any time.
    t.ok(twice < 3 * once + 100, `${name}: ${Math.round(once)} ms, then ${Math.round(twice)} ms`);
  }
});

t.test('commands and environments that multiply themselves stay as they are after some steps', async (t) => {
  const names = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `\\x${letter}`);
  const tenfold = names.map((name, index) => `\\newcommand{${name}}{${(names[(index + 1) % 26] as string).repeat(10)}}\n`).join('');
  const { text } = expanded(`${tenfold}\n\\xz $\\xz$`);
  t.match(text, /\\x[a-z]/);
  t.ok(text.length < 400_000, `${text.length} characters`);
  const twofold = { count: 0, initial: null, begin: '\\begin{q}\\begin{q}', end: '\\end{q}' };
  const nested = new ExpandedText('\\begin{q}', 1, new Macros(), new Map([['q', twofold]])).text;
  t.ok(nested.length < 200_000, `${nested.length} characters`);
});

t.test('one hidden part is read as before behind code that does not end', async (t) => {
  const hidden = new HiddenParts();
  const text = hidden.hide('\\begin{verbatim}a \\begin{lstlisting}b\\end{lstlisting} \\begin{verbatim}c');
  t.equal(hidden.revealed(text), '\\begin{verbatim}a b \\begin{verbatim}c');
});

t.test('an address ends at its own brace', async (t) => {
  const hidden = new HiddenParts();
  const text = hidden.hide('}{\\url{\\url{https://a.cm/{b}\\}%c}} \\href{x');
  t.match(text, /^\}\{\\url\{[^\\]\} \\href\{x$/u);
  t.equal(hidden.revealed(text), '}{\\url{\\url{https://a.cm/{b}}%c}} \\href{x');
});
