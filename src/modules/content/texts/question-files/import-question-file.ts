import type { Node } from 'prosemirror-model';
import { maxAccepted, maxAnswerLength } from '../../../../shared/rich-text/question-kinds.ts';
import { richTextSchema } from '../../../../shared/rich-text/schema.ts';
import { ImageIntake, type StoreImage } from '../image-intake.ts';
import { asChecked, type ImportedText, type OwnPlaces } from '../imported-text.ts';
import { refused, tooComplex } from '../refusal.ts';
import { counted, type Remarks } from '../remarks.ts';
import { adaptedTitles } from '../title.ts';
import { isAiken, readAiken } from './aiken.ts';
import { isAmc, readAmc } from './amc.ts';
import type { FileEntry, FileQuestion, FileText, Marking, QuestionFile } from './file-questions.ts';
import { isGift, readGift } from './gift.ts';
import { isMoodleXml, readMoodleXml } from './moodle-xml.ts';
import { TextReader } from './text-reader.ts';

const { nodes } = richTextSchema;
/** Maximum number of questions and other parts of one file. */
const maxEntries = 2_000;
/** Maximum number of characters of one text of a question: the cost of its formulas may grow with the square of its length. */
const maxStretch = 100_000;
/** Longest file in characters, without embedded pictures. */
const maxCharacters = 1_000_000;
/** Pictures in base64: in `file` elements of Moodle XML, or in data: addresses. */
const PICTURES = /(?:<file\b[^>]*>|;base64,)[A-Za-z0-9+/=\s]+/g;

const formats: readonly { name: string; isFormat: (text: string) => boolean; read: (text: string) => QuestionFile }[] = [
  { name: 'Moodle XML', isFormat: isMoodleXml, read: readMoodleXml },
  { name: 'AMC-TXT', isFormat: isAmc, read: readAmc },
  { name: 'Aiken', isFormat: isAiken, read: readAiken },
  { name: 'GIFT', isFormat: isGift, read: readGift },
];

/**
 * Reads a question file: Moodle XML, GIFT, AMC-TXT or Aiken, recognised by its content.
 * @returns null when the text has none of these formats
 * @throws AppError 400 when the file is broken, too long or too complicated
 */
export async function importQuestionFile(
  text: string,
  store: StoreImage,
  remarks: Remarks,
  places: OwnPlaces,
): Promise<(ImportedText & { marking: Marking | null }) | null> {
  if (/^\s*<\?xml/.test(text) && !isMoodleXml(text)) throw refused("Ce fichier XML n'est pas un export de questions de Moodle.");
  if (text.length > maxCharacters && text.replaceAll(PICTURES, '').length > maxCharacters)
    throw refused('Ce texte est trop long (1 million de caractères au maximum).');
  if (!isMoodleXml(text) && hasEndlessStretch(text)) return null;
  const format = formats.find(({ isFormat }) => isFormat(text));
  if (!format) return null;
  const file = format.read(text);
  if (file.entries.length > maxEntries) throw tooComplex();
  const reader = new TextReader(new ImageIntake(store, remarks), remarks);
  const blocks: Node[] = [];
  for (const entry of file.entries) blocks.push(...(await blocksOf(entry, reader)));
  const count = blocks.filter(({ type }) => type === nodes.question).length;
  remarks.say(`Format ${format.name} : ${counted(count, 'question reconnue', 'questions reconnues')}.`);
  for (const remark of file.remarks) remarks.say(remark);
  const contenu = asChecked(nodes.doc.create(null, blocks.length > 0 ? blocks : nodes.paragraph.create()));
  return { ...adaptedTitles(places.hasTitle ? file.title : null, remarks), contenu, corrige: null, marking: file.marking };
}

/** Returns whether a text has no blank line for too long to be read quickly. Markdown names the line. */
const hasEndlessStretch = (text: string): boolean => text.split(/\n(?=[ \t]*\n)/).some((stretch) => stretch.length > maxStretch);

async function blocksOf(entry: FileEntry, reader: TextReader): Promise<Node[]> {
  if (entry.type === 'heading') {
    const text = cleaned(entry.text);
    return text === '' ? [] : [nodes.heading.create({ level: entry.level }, richTextSchema.text(text))];
  }
  return entry.type === 'prose' ? all(entry.texts, reader) : [await questionOf(entry, reader)];
}

async function all(texts: readonly FileText[], reader: TextReader): Promise<Node[]> {
  const blocks: Node[] = [];
  for (const text of texts) blocks.push(...(await reader.blocks(text)));
  return blocks;
}

async function questionOf(question: FileQuestion, reader: TextReader): Promise<Node> {
  const { kind, points, fixed, value, tolerance, unit, accepted } = question;
  const parts: Node[] = [nodes.question_statement.create(null, filled(await all(question.statement, reader)))];
  for (const { text, right, remark } of question.choices) {
    const said = remark ? await reader.blocks(remark) : [];
    const content = [...filled(await reader.blocks(text)), ...(said.length > 0 ? [nodes.question_remark.create(null, said)] : [])];
    parts.push(nodes.question_choice.create({ right }, content));
  }
  const explanation = await all(question.explanation, reader);
  if (explanation.length > 0) parts.push(nodes.question_explanation.create(null, explanation));
  const answers = accepted.slice(0, maxAccepted).map((answer) => cleaned(answer).slice(0, maxAnswerLength));
  return nodes.question.create(
    { kind, points, fixed, value, tolerance, unit: cleaned(unit).slice(0, maxAnswerLength), accepted: answers },
    parts,
  );
}

const filled = (blocks: Node[]): Node[] => (blocks.length > 0 ? blocks : [nodes.paragraph.create()]);

/** Returns text of one line that the schema accepts. */
const cleaned = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
