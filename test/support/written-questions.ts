import type { Random } from './random.ts';
import { docx, p, r } from './word-file.ts';

// Random questions as teachers write them, in each form that the import reads.

/** Words, or a formula. */
type Piece = string | { readonly latex: string };
type Text = readonly Piece[];

export interface WrittenQuestion {
  readonly kind: 'one' | 'several' | 'number' | 'text';
  readonly points: number;
  readonly statement: Text;
  readonly choices: readonly { readonly text: Text; readonly right: boolean }[];
  readonly explanation: Text | null;
  readonly value: string;
  readonly tolerance: string;
  readonly unit: string;
  readonly accepted: readonly string[];
}

/** A number before `$` would be a price. */
const WORDS = [
  'ville',
  'fleuve',
  'énergie',
  'la vitesse',
  "l'élève",
  'loi',
  'côté',
  'noyau',
  'œuvre',
  'Yaoundé',
  '3,5 %',
  'eau & sel',
  '« cité »',
];
const FORMULAS = ['x', 'n+1', 'u', 'ab'];

/** Returns a random question; the same `random` gives the same one. */
export function randomWritten(random: Random): WrittenQuestion {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const text = (end = ''): Text => {
    const pieces: Piece[] = [pick(WORDS)];
    for (let more = below(3); more > 0; more -= 1) pieces.push(random() < 0.3 ? { latex: pick(FORMULAS) } : pick(WORDS));
    pieces.push(`${pick(WORDS)}${end}`);
    return pieces;
  };
  const kind = pick(['one', 'one', 'several', 'several', 'number', 'text'] as const);
  const count = kind === 'several' ? 3 + below(3) : 2 + below(4);
  const wrong = below(count);
  const rights = Array.from({ length: count }, (_, index) => (kind === 'one' ? index === wrong : index !== wrong));
  return {
    kind,
    points: pick([1, 1, 2, 1.5]),
    statement: text(' ?'),
    choices: kind === 'one' || kind === 'several' ? rights.map((right) => ({ text: text(), right })) : [],
    explanation: random() < 0.4 ? text('.') : null,
    value: pick(['3,5', '7/2', '-4', '1,2e3']),
    tolerance: pick(['', '0,1', '2 %']),
    unit: pick(['', 'm/s', 'kg']),
    accepted: pick([['fer'], ['Fe', 'fer'], ['Mongo Beti', "l'auteur"]]),
  };
}

/** Returns the question as `shownBlocks` shows it. */
export function shownWritten({ kind, points, statement, choices, explanation, value, tolerance, unit, accepted }: WrittenQuestion): string {
  const rows = choices.map(({ text, right }) => ` | ${right ? '*' : ''}${shown(text)}`).join('');
  const said = explanation ? ` >> ${shown(explanation)}` : '';
  const key = kind === 'number' ? ` = ${value} ± ${tolerance || 0} ${unit}`.trimEnd() : kind === 'text' ? ` = ${accepted.join(' = ')}` : '';
  return `${kind}${points === 1 ? '' : ` (${points})`} ${shown(statement)}${rows}${said}${key}`;
}

const shown = (text: Text): string => text.map((piece) => (typeof piece === 'string' ? piece : `[${piece.latex}]`)).join(' ');
const typed = (text: Text): string => text.map((piece) => (typeof piece === 'string' ? piece : `$${piece.latex}$`)).join(' ');
const escaped = (text: string): string => text.replaceAll('&', '&amp;');

const letterOf = (index: number): string => String.fromCharCode(97 + index);
const pointsOf = ({ points }: WrittenQuestion): string => (points === 1 ? '' : ` (${String(points).replace('.', ',')} points)`);
const lettersOf = ({ choices }: WrittenQuestion): string[] => choices.flatMap(({ right }, index) => (right ? [letterOf(index)] : []));
const isChosen = ({ kind }: WrittenQuestion): boolean => kind === 'one' || kind === 'several';

/** Returns the line with the answer of a number or a short text. */
const typedKey = ({ kind, value, tolerance, unit, accepted }: WrittenQuestion): string =>
  kind === 'number'
    ? `Réponse numérique : ${[value, tolerance && `± ${tolerance}`, unit].filter(Boolean).join(' ')}`
    : `Réponses acceptées : ${accepted.join(' ; ')}`;

type Form = (questions: readonly WrittenQuestion[]) => string | Promise<Buffer>;

const markdown =
  (choice: (text: string, right: boolean, index: number) => string, below: (question: WrittenQuestion) => string, gap = '\n'): Form =>
  (questions) =>
    questions
      .map((question, index) => {
        const rows = question.choices.map(({ text, right }, at) => choice(escaped(typed(text)), right, at)).join(gap);
        const parts = [
          `Question ${index + 1}${pointsOf(question)}. ${escaped(typed(question.statement))}`,
          rows,
          isChosen(question) ? below(question) : typedKey(question),
          question.explanation ? `Explication : ${escaped(typed(question.explanation))}` : '',
        ];
        return `${parts.filter(Boolean).join('\n\n')}\n`;
      })
      .join('\n');

const math = (latex: string, marks: string): string =>
  `<m:oMath>${[...latex].map((sign) => `<m:r><w:rPr>${marks}</w:rPr><m:t>${sign}</m:t></m:r>`).join('')}</m:oMath>`;
const runs = (text: Text, marks = ''): string =>
  text
    .map((piece, index) => {
      const gap = index > 0 ? ' ' : '';
      return typeof piece === 'string' ? r(gap + piece, marks) : r(gap, marks) + math(piece.latex, marks);
    })
    .join('');
const lettered = (content: string): string => p(content, '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>');

const word =
  (
    marks: string,
    sign: string,
    below: (question: WrittenQuestion) => string,
    end: (questions: readonly WrittenQuestion[]) => string,
  ): Form =>
  (questions) =>
    docx({
      body:
        questions
          .map(
            (question, index) =>
              p(r(`Question ${index + 1}${pointsOf(question)}. `) + runs(question.statement)) +
              question.choices
                .map(({ text, right }) => lettered(runs(text, right ? marks : '') + (right && sign ? r(` ${sign}`) : '')))
                .join('') +
              (isChosen(question) ? below(question) : p(r(typedKey(question)))) +
              (question.explanation ? p(r('Explication : ') + runs(question.explanation)) : ''),
          )
          .join('') + end(questions),
    });

const none = (): string => '';
const answerLine = (question: WrittenQuestion): string => `Réponse : ${lettersOf(question).join(', ')}`;
const cell = (text: string): string => `<w:tc>${p(r(text))}</w:tc>`;
const keyTable = (questions: readonly WrittenQuestion[]): string => {
  const rows = questions.flatMap((question, index) =>
    isChosen(question) ? [`<w:tr>${cell(String(index + 1))}${cell(lettersOf(question).join(', '))}</w:tr>`] : [],
  );
  return rows.length === 0 ? '' : `${p(r('Corrigé'))}<w:tbl><w:tr>${cell('Question')}${cell('Réponse')}</w:tr>${rows.join('')}</w:tbl>`;
};

/** Forms that the import reads, with what each can say. */
export const writtenForms: Readonly<
  Record<string, { readonly write: Form; readonly only?: 'choices'; readonly without?: readonly ('points' | 'explanation')[] }>
> = {
  'Markdown, boxes': { write: markdown((text, right) => `- [${right ? 'x' : ' '}] ${text}`, none) },
  'Markdown, answers below': { write: markdown((text, _right, at) => `${letterOf(at)}) ${text}`, answerLine, '\\\n') },
  'Markdown, signs': { write: markdown((text, right, at) => `${letterOf(at)}) ${text}${right ? ' ✓' : ''}`, none, '\n\n') },
  'Word, bold': { write: word('<w:b/>', '', none, none) },
  'Word, highlighted': { write: word('<w:highlight w:val="yellow"/>', '', none, none) },
  'Word, answers below': { write: word('', '', (question) => p(r(answerLine(question))), none) },
  'Word, signs': { write: word('', '*', none, none) },
  'Word, key at the end': { write: word('', '', none, keyTable) },
  'AMC-TXT': {
    only: 'choices',
    without: ['points', 'explanation'],
    write: (questions) =>
      questions
        .map(({ kind, statement, choices }) => {
          const rows = choices.map(({ text, right }) => `${right ? '+' : '-'} ${typed(text)}`);
          return `${kind === 'several' ? '**' : '*'} ${typed(statement)}\n${rows.join('\n')}\n`;
        })
        .join('\n'),
  },
  Aiken: {
    only: 'choices',
    without: ['points', 'explanation'],
    write: (questions) =>
      questions
        .map((question) => {
          const rows = question.choices.map(({ text }, at) => `${letterOf(at).toUpperCase()}) ${typed(text)}`);
          return `${typed(question.statement)}\n${rows.join('\n')}\nANSWER: ${lettersOf(question).join(', ').toUpperCase()}\n`;
        })
        .join('\n'),
  },
};
