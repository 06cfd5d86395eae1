import { escapeText } from '../../../../shared/escapes.ts';
import { maxPoints } from '../../../../shared/rich-text/question-kinds.ts';
import { type FileEntry, type FileQuestion, type FileText, fileQuestion, type QuestionFile } from './file-questions.ts';
import { Penalties } from './penalties.ts';

const QUESTION = /^\*(?![()])(\*)?(<[^>\n]*>)?(\[[^\]\n]*\])?(\{[^}\n]*\})?\s*(.*)$/;
const ANSWER = /^([+-])(?!\d)(\[[^\]\n]*\])?(\{[^}\n]*\})?\s*(\S.*)$/;
const OPTION = /^([A-Za-z][A-Za-z-]*)\s*:\s*(.*)$/;

/**
 * Returns whether a text is in AMC's format: lines `*` or `**`, and below each, without a blank line, answers `+` and `-` up to its end.
 * In Markdown all three are signs of lists, so other uses count against it.
 */
export function isAmc(text: string): boolean {
  let questions = 0;
  let others = 0;
  const blocks = text.trimEnd().split(/\n[ \t]*\n/);
  for (const [order, block] of blocks.entries()) {
    const lines = block.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    const starts = lines.flatMap((line, at) => (/^\*{1,2}(?![*()])/.test(line) && QUESTION.test(line) ? [at] : []));
    for (const [index, start] of starts.entries()) {
      const own = lines.slice(start + 1, starts[index + 1] ?? lines.length);
      const signs = own.filter((line) => /^[+-](?:\s|\[|\{)/.test(line));
      const isOpen = /^\*<|lines=/.test(lines[start] ?? '');
      const isCut = order === blocks.length - 1 && index === starts.length - 1 && signs.length === 1;
      if (signs.length > 1 && signs.some((line) => line.startsWith('+'))) questions += 1;
      else if (!isOpen && !isCut) others += 1;
    }
    // Signs below other text are lists, or the lines of a formula.
    const above = lines.slice(0, starts[0] ?? lines.length);
    if (above.some((line) => !OPTION.test(line) && !/^\*[()]/.test(line)) && lines.some((line) => /^[+-]\s/.test(line)))
      others += starts.length + 1;
  }
  return questions > 0 && questions > others;
}

interface Open {
  readonly line: number;
  readonly isSeveral: boolean;
  readonly options: string;
  readonly scoring: Record<string, number>;
  readonly isOpen: boolean;
  readonly text: string[];
  readonly answers: { right: boolean; scoring: string | undefined; text: string[] }[];
}

/** Reads a text in the format AMC-TXT of auto-multiple-choice. */
export const readAmc = (text: string): QuestionFile => new Amc().read(text);

class Amc {
  readonly #entries: FileEntry[] = [];
  readonly #remarks: string[] = [];
  readonly #penalties = new Penalties();
  #defaults: Record<'S' | 'M', Record<string, number>> = { S: {}, M: {} };
  #title: string | null = null;
  #open: Open | null = null;
  #prose: string[] = [];
  /** Whether no question and no prose has come yet, so that options are read. */
  #isHead = true;
  /** Whether the last line belongs to an option's value. */
  #isPresentation = false;

  read(text: string): QuestionFile {
    for (const [index, line] of text.split('\n').entries()) this.#line(line, index + 1);
    this.#close();
    return {
      title: this.#title,
      entries: this.#entries,
      marking: this.#penalties.marking,
      remarks: [...this.#remarks, ...this.#penalties.remarks],
    };
  }

  #line(line: string, number: number): void {
    if (line.startsWith('#')) return;
    const group = /^\*([()])\s*(?:\[[^\]]*\])?\s*(.*)$/.exec(line);
    if (group) {
      this.#close();
      if (group[2]) this.#prose.push(group[2]);
      this.#close();
      return;
    }
    const [isQuestion, second, lines, options = '', scoring, text = ''] = QUESTION.exec(line) ?? [];
    if (isQuestion !== undefined) {
      this.#close();
      this.#isHead = false;
      const isOpen = lines !== undefined || /lines=/.test(options);
      this.#open = {
        line: number,
        isSeveral: second !== undefined,
        options,
        scoring: scoringOf(scoring),
        isOpen,
        text: [text],
        answers: [],
      };
      return;
    }
    const [isAnswer, sign, , ownScoring, answer = ''] = (this.#open && ANSWER.exec(line)) || [];
    if (isAnswer !== undefined) this.#open?.answers.push({ right: sign === '+', scoring: ownScoring, text: [answer] });
    else this.#text(line);
  }

  #text(line: string): void {
    const [isOption, name = '', value = ''] = (this.#isHead && OPTION.exec(line)) || [];
    if (isOption !== undefined) this.#option(name, value);
    else if (this.#isHead && this.#isPresentation && line.trim() !== '') this.#prose.push(line);
    else if (this.#open) {
      const last = this.#open.answers.at(-1);
      // A blank line behind the answers ends the question.
      if (last && line.trim() === '') this.#close();
      else (last?.text ?? this.#open.text).push(line);
    } else if (line.trim() !== '') {
      this.#isHead = false;
      this.#prose.push(line);
    } else {
      this.#isPresentation = false;
      this.#closeProse();
    }
  }

  #option(name: string, value: string): void {
    this.#isPresentation = name === 'Presentation';
    if (name === 'Title') this.#title = value.trim();
    else if (name === 'Presentation') this.#prose.push(value);
    else if (name === 'DefaultScoringS') this.#defaults.S = scoringOf(value);
    else if (name === 'DefaultScoringM') this.#defaults.M = scoringOf(value);
  }

  #closeProse(): void {
    const text = this.#prose.join('\n').trim();
    if (text !== '') this.#entries.push({ type: 'prose', texts: [this.#rich(text)] });
    this.#prose = [];
  }

  #close(): void {
    this.#closeProse();
    const open = this.#open;
    this.#open = null;
    if (!open) return;
    const statement = this.#rich(open.text.join('\n').trim());
    if (open.isOpen || open.answers.length < 2) {
      const what = open.isOpen ? 'question ouverte' : 'question sans choix';
      this.#remarks.push(`Ligne ${open.line} : ${what}, reprise comme texte.`);
      const answers = open.isOpen ? open.answers.filter(({ text }) => text.join('').trim().length > 1) : open.answers;
      this.#entries.push({ type: 'prose', texts: [statement, ...answers.map(({ text }) => this.#rich(text.join('\n')))] });
      return;
    }
    this.#entries.push(this.#question(open, statement));
  }

  #question(open: Open, statement: FileText): FileQuestion {
    const { isSeveral, options, answers, line } = open;
    const scoring = { ...this.#defaults[isSeveral ? 'M' : 'S'], ...open.scoring };
    const points = scoring.b !== undefined && scoring.b > 0 && scoring.b <= maxPoints ? scoring.b : 1;
    if (!isSeveral) this.#penalties.add(`Ligne ${line}`, (scoring.m ?? 0) / points, (scoring.v ?? 0) / points);
    else if ((scoring.m ?? 0) < 0) this.#remarks.push(`Ligne ${line} : points négatifs d'une question à plusieurs réponses, non repris.`);
    if (answers.some(({ scoring: own }) => own !== undefined)) this.#remarks.push(`Ligne ${line} : barème d'un choix, non repris.`);
    return fileQuestion({
      kind: isSeveral || answers.filter(({ right }) => right).length > 1 ? 'several' : 'one',
      points,
      fixed: /\bordered\b/.test(options),
      statement: [statement],
      choices: answers.map(({ right, text }) => ({ text: this.#rich(text.join('\n').trim()), right, remark: null })),
    });
  }

  /** Returns a text as HTML, with AMC's signs for bold, italic, code and titles. */
  #rich(text: string): FileText {
    const pieces = text.split(
      /(\$\$[\s\S]{0,1000}?\$\$|\$[^$]{0,1000}\$|\\\([\s\S]{0,1000}?\\\)|\\\[[\s\S]{0,1000}?\\\]|\[verbatim\][\s\S]*?\[\/verbatim\])/,
    );
    const html = pieces.map((piece, index) => {
      const [, code] = /^\[verbatim\]\n?([\s\S]*)\[\/verbatim\]$/.exec(piece) ?? [];
      if (code !== undefined) return `</p><pre><code>${escapeText(code.trimEnd())}</code></pre><p>`;
      return index % 2 === 1 ? escapeText(piece) : this.#marked(escapeText(piece));
    });
    return { text: `<p>${html.join('')}</p>`, format: 'html' };
  }

  #marked(text: string): string {
    return text
      .replaceAll(/!(?:\{[^}\n]*\})?([^\s!]+\.(?:png|jpe?g|gif|pdf|svg|eps|webp))!?/gi, (_, name: string) => {
        this.#remarks.push(`Image à ajouter, elle n'est pas dans le fichier : ${name}`);
        return '';
      })
      .replaceAll(/\[\*(.{1,1000}?)\*\]/gs, '<strong>$1</strong>')
      .replaceAll(/\[_(.{1,1000}?)_\]/gs, '<em>$1</em>')
      .replaceAll(/\[\|(.{1,1000}?)\|\]/gs, '<code>$1</code>')
      .replaceAll(/\[==(.{1,1000}?)==\]/gs, '<strong>$1</strong>')
      .replaceAll(/\[\[(.{1,1000}?)\]\]/gs, '$1')
      .replaceAll(/\n[ \t]*\n/g, '</p><p>')
      .replaceAll('\n', ' ');
  }
}

/** Reads a scoring such as `b=1,m=-0.25`. */
function scoringOf(text: string | undefined): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [, name = '', value] of (text ?? '').matchAll(/\b([a-z]+)\s*=\s*(-?\d+(?:\.\d+)?)/g)) found[name] = Number(value);
  return found;
}
