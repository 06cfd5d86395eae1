import {
  type FileEntry,
  type FileQuestion,
  type FileText,
  fileQuestion,
  headingOf,
  plainText,
  type QuestionFile,
} from './file-questions.ts';
import { numberAnswer, shortAnswers, trueFalseAnswer } from './gift-answers.ts';
import { type Chunk, chunksOf, hideSigns, shownSigns } from './gift-source.ts';
import { type OwnNote, ownNote, withOwnNote } from './own-note.ts';
import { Penalties } from './penalties.ts';

const ANSWERS = /^\s*(?:[=~]|#\s*[=\d.−-]|(?:T|TRUE|F|FALSE|V|VRAI|FAUX)\s*(?:#|$)|$)/;

/** Returns whether a text is in Moodle's format GIFT: most of its chunks are questions with answers in braces. */
export function isGift(text: string): boolean {
  const chunks = chunksOf(hideSigns(text));
  const named = chunks.filter(({ text: chunk }) => /^\s*(?:::[^:]|\$CATEGORY\s*:)/.test(chunk)).length;
  const answered = chunks.filter(({ text: chunk }) => {
    const parts = partsOf(chunk);
    // Without a name, `{}` and `{T}` are rather LaTeX.
    return parts?.answers != null && ANSWERS.test(parts.answers) && (parts.isNamed || /^\s*(?:[=~]|#\s*[=\d])/.test(parts.answers));
  }).length;
  return answered > 0 && (answered + named) * 2 >= chunks.length;
}

/** Reads a text in Moodle's format GIFT. */
export const readGift = (text: string): QuestionFile => new Gift().read(text);

interface Parts {
  readonly isNamed: boolean;
  readonly format: string | null;
  readonly before: string;
  /** Null without braces. */
  readonly answers: string | null;
  readonly after: string;
}

/** Splits a chunk at its braces; null when they are not closed. */
function partsOf(chunk: string): Parts | null {
  const [head = '', name, format = null] = /^\s*(::(?:[^:]|:(?!:))*::)?\s*(?:\[(html|moodle|plain|markdown)\])?/.exec(chunk) ?? [];
  const body = chunk.slice(head.length);
  const isNamed = name !== undefined;
  const open = body.indexOf('{');
  if (open === -1) return { isNamed, format, before: body, answers: null, after: '' };
  const close = body.lastIndexOf('}');
  if (close < open) return null;
  return { isNamed, format, before: body.slice(0, open), answers: body.slice(open + 1, close).trim(), after: body.slice(close + 1) };
}

class Gift {
  readonly #entries: FileEntry[] = [];
  readonly #remarks: string[] = [];
  readonly #penalties = new Penalties();
  #place = '';
  #category = '';

  read(text: string): QuestionFile {
    for (const chunk of chunksOf(hideSigns(text))) this.#chunk(chunk);
    return {
      title: null,
      entries: this.#entries,
      marking: this.#penalties.marking,
      remarks: [...this.#remarks, ...this.#penalties.remarks],
    };
  }

  #chunk({ line, text, comments }: Chunk): void {
    this.#place = `Ligne ${line}`;
    const [, category] = /^\s*\$CATEGORY\s*:\s*(.*)$/s.exec(text) ?? [];
    if (category !== undefined) {
      const heading = category === this.#category ? null : headingOf(shownSigns(category));
      this.#category = category;
      if (heading) this.#entries.push(heading);
      return;
    }
    const parts = partsOf(text);
    if (!parts) {
      this.#prose('question dont les accolades ne sont pas fermées', [this.#text(text, null)]);
      return;
    }
    const { before, after, answers, format } = parts;
    const statement = this.#text(after.trim() === '' ? before : `${before.trimEnd()} _____ ${after.trimStart()}`, format);
    if (answers === null) this.#entries.push({ type: 'prose', texts: [statement] });
    else if (answers === '') this.#prose('question à réponse rédigée (essay)', [statement]);
    else this.#question(statement, answers, format, ownNote(comments));
  }

  #prose(what: string, texts: FileText[]): void {
    this.#remarks.push(`${this.#place} : ${what}, reprise comme texte.`);
    this.#entries.push({ type: 'prose', texts });
  }

  #question(statement: FileText, written: string, format: string | null, note: OwnNote | null): void {
    const [answers = '', ...general] = written.split('####');
    const explanation = general.length > 0 ? [this.#text(general.join(' '), format)] : [];
    const text = (raw: string): FileText => this.#text(raw, format);
    if (/^\s*=[^~]*->/.test(answers) && !answers.includes('~') && note?.kind !== 'text') {
      const pairs = answers.split('=').slice(1);
      this.#prose("question d'appariement (matching)", [
        statement,
        ...pairs.map((pair) => text(pair.replace('->', ' → '))),
        ...explanation,
      ]);
      return;
    }
    const read =
      trueFalseAnswer(answers, text) ??
      (answers.trimStart().startsWith('#') ? numberAnswer(answers, text, (remark) => this.#say(remark)) : null) ??
      (answers.includes('~') || note?.kind === 'one' || note?.kind === 'several'
        ? this.#choices(answers, text, note)
        : shortAnswers(answers, text, (remark) => this.#say(remark)));
    if (read) {
      const question = fileQuestion({ ...read, statement: [statement], explanation: [...explanation, ...(read.explanation ?? [])] });
      this.#entries.push(withOwnNote(question, note));
    } else this.#prose('question dont les réponses ne sont pas comprises', [statement, text(answers), ...explanation]);
  }

  #say(remark: string): void {
    this.#remarks.push(`${this.#place} : ${remark}`);
  }

  #choices(
    answers: string,
    text: (raw: string) => FileText,
    note: OwnNote | null,
  ): (Pick<FileQuestion, 'kind' | 'choices'> & Partial<FileQuestion>) | null {
    const pieces = [...answers.matchAll(/([=~])([^=~]*)/g)].map(([, sign, raw = '']) => {
      const [, weight, rest = ''] = /^\s*(?:%(-?\d+(?:[.,]\d+)?)%)?([\s\S]*)$/.exec(raw) ?? [];
      const [said = '', ...feedback] = rest.split('#');
      return { sign, weight: weight === undefined ? null : Number(weight.replace(',', '.')), said, feedback: feedback.join('#').trim() };
    });
    if (pieces.length < 2 || !/^\s*[=~]/.test(answers)) return null;
    const isSingle = note?.kind === 'one' || pieces.some(({ sign, weight }) => sign === '=' || weight === 100);
    const isRight = ({ sign, weight }: (typeof pieces)[number]): boolean => sign === '=' || (isSingle ? weight === 100 : (weight ?? 0) > 0);
    const wrong = pieces.filter((piece) => !isRight(piece));
    if (isSingle) {
      const weights = new Set(wrong.map(({ weight }) => weight ?? 0));
      const [weight = 0] = weights;
      if (weights.size > 1 || weight > 0) this.#say('des choix donnaient une partie des points : ils comptent ici comme faux.');
      else this.#penalties.add(this.#place, weight / 100);
    }
    const right = pieces.filter(isRight).length;
    return {
      kind: note?.kind === 'several' || !isSingle || right > 1 ? 'several' : 'one',
      choices: pieces.map((piece) => ({
        text: text(piece.said),
        right: isRight(piece),
        remark: piece.feedback === '' ? null : text(piece.feedback),
      })),
    };
  }

  /** Returns a text; its own format stands before that of the question. */
  #text(raw: string, format: string | null): FileText {
    const [head = '', own] = /^\s*\[(html|moodle|plain|markdown)\]/.exec(raw) ?? [];
    const text = shownSigns(raw.slice(head.length)).trim();
    const said = own ?? format ?? 'moodle';
    if (said === 'html' || said === 'markdown') return { text, format: said };
    // Moodle's own format allows tags, and a new line is one.
    if (said === 'moodle' && /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i.test(text))
      return { text: text.replaceAll('\n', '<br>'), format: 'html' };
    return plainText(text);
  }
}
