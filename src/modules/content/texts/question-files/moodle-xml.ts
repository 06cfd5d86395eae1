import { maxPoints } from '../../../../shared/rich-text/question-kinds.ts';
import { attribute, child, elementsOf, parseXml } from '../docx/xml.ts';
import { refused, tooComplex } from '../refusal.ts';
import { counted } from '../remarks.ts';
import {
  type FileEntry,
  type FileQuestion,
  type FileText,
  fileQuestion,
  headingOf,
  plainText,
  type QuestionFile,
  written,
} from './file-questions.ts';
import { ownNote, withOwnNote } from './own-note.ts';
import { Penalties } from './penalties.ts';

const unreadable = (cause?: unknown) =>
  refused('Ce fichier Moodle XML est incomplet ou mal formé. Exportez-le de nouveau depuis Moodle, puis réessayez.', cause);

/** Maximum number of questions of one file. */
const maxQuestions = 2_000;

/** French names of Moodle's kinds that we do not have. */
const KINDS: Record<string, string> = {
  matching: "question d'appariement (matching)",
  cloze: 'texte à trous (cloze)',
  essay: 'question à réponse rédigée (essay)',
  calculated: 'question calculée (calculated)',
  calculatedsimple: 'question calculée (calculatedsimple)',
  calculatedmulti: 'question calculée (calculatedmulti)',
  ordering: 'question de mise en ordre (ordering)',
  description: 'description',
  gapselect: 'texte à trous (gapselect)',
  ddwtos: 'texte à trous (ddwtos)',
};

/** Returns whether a text is Moodle XML. */
export const isMoodleXml = (text: string): boolean =>
  /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*)*<quiz[\s>]/.test(text);

/**
 * Reads questions exported by Moodle as XML.
 * @throws AppError 400 when the XML is broken, declares entities, or is too large or too deeply nested
 */
export function readMoodleXml(text: string): QuestionFile {
  const root = parseXml(Buffer.from(text), unreadable).documentElement;
  return new MoodleXml().read(root);
}

class MoodleXml {
  readonly #entries: FileEntry[] = [];
  readonly #remarks: string[] = [];
  readonly #penalties = new Penalties();
  #place = '';
  #category = '';
  /** Messages and hints that our questions do not have. */
  #messages = 0;

  read(root: Element): QuestionFile {
    const questions = elementsOf(root).filter(({ nodeName }) => nodeName === 'question');
    if (questions.length > maxQuestions) throw tooComplex();
    let number = 0;
    for (const element of questions) {
      const kind = attribute(element, 'type') ?? '';
      if (kind === 'category') {
        this.#heading(textIn(child(element, 'category')));
        continue;
      }
      number += 1;
      const name = textIn(child(element, 'name')).trim();
      this.#place = `Question ${number}${name === '' || name === `Question ${number}` ? '' : ` (« ${name.slice(0, 60)} »)`}`;
      this.#question(element, kind);
    }
    if (this.#messages > 0)
      this.#remarks.push(
        `${counted(this.#messages, 'message ou indice de Moodle', 'messages ou indices de Moodle')} sans place ici, laissés de côté.`,
      );
    return {
      title: null,
      entries: this.#entries,
      marking: this.#penalties.marking,
      remarks: [...this.#remarks, ...this.#penalties.remarks],
    };
  }

  #heading(path: string): void {
    const heading = path === this.#category ? null : headingOf(path);
    this.#category = path;
    if (heading) this.#entries.push(heading);
  }

  #question(element: Element, kind: string): void {
    const read = this.#known(element, kind);
    if (!read) {
      this.#remarks.push(`${this.#place} : ${KINDS[kind] ?? `question du genre « ${kind.slice(0, 40)} »`}, reprise comme texte.`);
      this.#entries.push({ type: 'prose', texts: textsOf(element) });
      return;
    }
    for (const name of ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback', 'hint'])
      for (const message of elementsOf(element).filter(({ nodeName }) => nodeName === name))
        if (textIn(message).trim() !== '' && !isDefault(textIn(message))) this.#messages += 1;
    const grade = Number(textIn(child(element, 'defaultgrade')) || '1');
    const isGrade = grade > 0 && grade <= maxPoints;
    if (!isGrade) this.#remarks.push(`${this.#place} : note de ${String(grade).slice(0, 20)}, devenue 1 point.`);
    const feedback = child(element, 'generalfeedback');
    const question = fileQuestion({
      statement: [fileText(child(element, 'questiontext'))],
      points: isGrade ? grade : 1,
      fixed: isFalse(child(element, 'shuffleanswers')) || kind === 'truefalse',
      ...read,
      explanation: [...(feedback && textIn(feedback).trim() !== '' ? [fileText(feedback)] : []), ...(read.explanation ?? [])],
    });
    this.#entries.push(withOwnNote(question, ownNote(commentsIn(element))));
  }

  #known(element: Element, kind: string): (Pick<FileQuestion, 'kind'> & Partial<FileQuestion>) | null {
    const answers = elementsOf(element).filter(({ nodeName }) => nodeName === 'answer');
    switch (kind) {
      case 'multichoice':
        return this.#choices(element, answers);
      case 'truefalse':
        return trueFalse(answers);
      case 'numerical':
        return this.#number(element, answers);
      case 'shortanswer':
        return this.#short(answers);
      default:
        return null;
    }
  }

  #choices(element: Element, answers: readonly Element[]): (Pick<FileQuestion, 'kind'> & Partial<FileQuestion>) | null {
    if (answers.length === 0 || answers.length > 20) return null;
    const isSingle = !isFalse(child(element, 'single'));
    const weights = answers.map(fractionOf);
    const isRight = (weight: number): boolean => (isSingle ? weight >= 99.9 : weight > 0);
    if (isSingle) {
      const wrong = new Set(weights.filter((weight) => !isRight(weight)));
      const [first = 0] = wrong;
      if (wrong.size > 1 || first > 0)
        this.#remarks.push(`${this.#place} : des choix donnaient une partie des points : ils comptent ici comme faux.`);
      else this.#penalties.add(this.#place, first / 100);
    }
    return {
      kind: isSingle && weights.filter(isRight).length < 2 ? 'one' : 'several',
      choices: answers.map((answer, index) => ({ text: fileText(answer), right: isRight(weights[index] ?? 0), remark: remarkOf(answer) })),
    };
  }

  #number(element: Element, answers: readonly Element[]): (Pick<FileQuestion, 'kind'> & Partial<FileQuestion>) | null {
    const [best, ...others] = answers.toSorted((a, b) => fractionOf(b) - fractionOf(a));
    const value = Number(textIn(best).trim().replace(',', '.'));
    if (!best || textIn(best).trim() === '' || !Number.isFinite(value)) return null;
    if (others.length > 0)
      this.#remarks.push(`${this.#place} : des valeurs donnaient une partie des points : seule la plus juste est reprise.`);
    const tolerance = Number(textIn(child(best, 'tolerance'), '').trim() || '0');
    const remark = remarkOf(best);
    return {
      kind: 'number',
      value: written(value),
      tolerance: tolerance > 0 ? written(tolerance) : '',
      unit: textIn(child(child(child(element, 'units'), 'unit'), 'unit_name'), '').trim(),
      explanation: remark ? [remark] : [],
    };
  }

  #short(answers: readonly Element[]): (Pick<FileQuestion, 'kind'> & Partial<FileQuestion>) | null {
    const accepted: string[] = [];
    const explanation: FileText[] = [];
    for (const answer of answers) {
      const text = textIn(answer).trim();
      const remark = remarkOf(answer);
      if (remark) explanation.push(remark);
      if (fractionOf(answer) < 99.9)
        this.#remarks.push(`${this.#place} : la réponse « ${text.slice(0, 60)} » ne donnait pas tous les points : elle n'est pas reprise.`);
      else if (text !== '') accepted.push(text);
    }
    return accepted.length === 0 || accepted.length > 20 ? null : { kind: 'text', accepted, explanation };
  }
}

function trueFalse(answers: readonly Element[]): (Pick<FileQuestion, 'kind'> & Partial<FileQuestion>) | null {
  const named = (word: RegExp): Element | undefined => answers.find((answer) => word.test(textIn(answer).trim()));
  const [yes, no] = [named(/^(?:true|vrai)$/i), named(/^(?:false|faux)$/i)];
  if (!yes || !no) return null;
  return {
    kind: 'one',
    choices: [
      { text: plainText('Vrai'), right: fractionOf(yes) > 0, remark: remarkOf(yes) },
      { text: plainText('Faux'), right: fractionOf(no) > 0, remark: remarkOf(no) },
    ],
  };
}

const fractionOf = (answer: Element): number => Number(attribute(answer, 'fraction') ?? '0') || 0;
const isFalse = (element: Element | undefined): boolean => /^(?:false|0)$/i.test(element?.textContent?.trim() ?? '');
const isDefault = (text: string): boolean =>
  /^\s*(?:<p>)?(?:Votre réponse est (?:correcte|incorrecte|partiellement correcte)|Your answer is (?:correct|incorrect|partially correct))\.?(?:<\/p>)?\s*$/.test(
    text,
  );

function remarkOf(answer: Element): FileText | null {
  const feedback = child(answer, 'feedback');
  return feedback && textIn(feedback).trim() !== '' ? fileText(feedback) : null;
}

/** Returns the text of an element's `text`; without one, its own. @param fallback value of an absent element */
function textIn(element: Element | undefined, fallback = ''): string {
  if (!element) return fallback;
  return (child(element, 'text') ?? element).textContent ?? '';
}

function fileText(element: Element | undefined): FileText {
  const format = attribute(element, 'format') ?? 'html';
  const text = textIn(element);
  const files = new Map<string, Buffer>();
  for (const file of elementsOf(element).filter(({ nodeName }) => nodeName === 'file')) {
    const name = attribute(file, 'name');
    if (name !== null && attribute(file, 'encoding') === 'base64') files.set(name, Buffer.from(file.textContent ?? '', 'base64'));
  }
  const known = format === 'markdown' || format === 'html' ? format : format === 'plain_text' ? 'plain' : null;
  // Moodle's own format allows tags, and a new line is one.
  if (known === null)
    return /<\/?[a-z]/i.test(text) ? { text: text.replaceAll('\n', '<br>'), format: 'html', files } : { ...plainText(text), files };
  return { text, format: known, files };
}

/** Returns all texts of a question of a kind that we do not have, in their order. */
function textsOf(question: Element): FileText[] {
  const texts: FileText[] = [];
  const visit = (element: Element): void => {
    if (element.nodeName === 'name' || element.nodeName === 'tags') return;
    const own = child(element, 'text');
    if (own && (own.textContent ?? '').trim() !== '') {
      const pair = element.nodeName === 'subquestion' ? textIn(child(element, 'answer')).trim() : '';
      texts.push(fileText(element));
      if (pair !== '') texts.push(plainText(`→ ${pair}`));
      if (element.nodeName === 'subquestion') return;
    }
    for (const inner of elementsOf(element)) if (inner.nodeName !== 'text' && inner.nodeName !== 'file') visit(inner);
  };
  for (const element of elementsOf(question)) visit(element);
  return texts;
}

function commentsIn(element: Element): string[] {
  return Array.from(element.childNodes).flatMap((node) => (node.nodeType === 8 ? [(node as unknown as Comment).data] : []));
}
