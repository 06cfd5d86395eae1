import { setPriority } from 'node:os';
import type { Node } from 'prosemirror-model';
import { AppError } from '../../../../platform/errors.ts';
import { ImageError } from '../../../../platform/files/image-error.ts';
import { ask } from '../../../../platform/work/worker-questions.ts';
import { documentFromJson, RichTextError } from '../../../../shared/rich-text/document.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { FormulaRenderer } from '../formulas/renderer.ts';
import { htmlWith } from '../html/canonical.ts';
import { readHtml } from '../html/reader.ts';
import { writeGift } from '../question-files/write-gift.ts';
import { writeMoodleXml } from '../question-files/write-moodle-xml.ts';
import { maxRemarks, Remarks } from '../remarks.ts';
import { findInTexts, replaceInTexts } from './find-in-texts.ts';
import { importDocument, refuseEmpty } from './import-document.ts';
import { OtherBase, readChange } from './read-change.ts';
import { readText } from './read-text.ts';
import type { PictureAnswer, Task, Tasks } from './tasks.ts';

/**
 * Priority of imports below pages and saves, as a nice value (0 to 19). On a fully used core an import gets about a third of their
 * share.
 */
const importNiceness = 5;

const tasks: { [Name in keyof Tasks]: (input: Task<Name>['input']) => ReturnType<Tasks[Name]> } = {
  readTexts({ whole, changes }) {
    const remarks = new Remarks();
    const documents: Record<string, ReturnType<typeof toJson>> = {};
    const faults: Record<string, string> = {};
    let isOtherBase = false;
    const readers = [
      ...Object.entries(whole).map(([column, input]) => [column, () => readText(input, remarks)] as const),
      ...Object.entries(changes).map(([column, change]) => [column, () => readChange(change)] as const),
    ];
    for (const [column, read] of readers) {
      try {
        documents[column] = toJson(read());
      } catch (error) {
        if (error instanceof OtherBase) isOtherBase = true;
        else if (!(error instanceof RichTextError)) throw error;
        else faults[column] = error.message;
      }
    }
    return { documents, faults, remarks: remarks.list(maxRemarks), isOtherBase };
  },

  /** All formulas of a save share one time limit. */
  writeTexts(documents) {
    const remarks = new Remarks();
    const formulas = new FormulaRenderer(remarks);
    const html: Record<string, string> = {};
    for (const [column, json] of Object.entries(documents)) {
      html[column] = htmlWith(documentFromJson(json), (latex, display) => formulas.render(latex, display));
    }
    return { html, remarks: remarks.list(maxRemarks) };
  },

  async importFile({ bytes, places, isMarkdown, isTex }) {
    setPriority(importNiceness);
    try {
      const imported = await importDocument(Buffer.from(bytes), storePicture, places, isMarkdown, isTex);
      // Markdown is what an author pastes into a text; everything else is a file.
      if (!isMarkdown) refuseEmpty(imported);
      return { imported };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refusal: { code: error.code, status: error.status, message: error.message } };
    }
  },

  writeQuestions({ format, texts, pictures, origin }) {
    const questions: Node[] = [];
    for (const html of texts)
      readHtml(html, new Remarks()).forEach((block) => {
        if (block.type.name === 'question') questions.push(block);
      });
    return { file: format === 'xml' ? writeMoodleXml(questions, pictures) : writeGift(questions, origin) };
  },

  findInTexts,
  replaceInTexts,

  drawFormula({ latex, display }) {
    try {
      return { mathml: renderFormula(latex, display) };
    } catch (error) {
      if (error instanceof FormulaError) return { fault: error.message };
      throw error;
    }
  },
};

/**
 * Runs a task in the worker process. Callers control the cost of reading and writing their texts, so this never runs in the server
 * process.
 */
export default function work<Name extends keyof Tasks>({ name, input }: Task<Name>): ReturnType<Tasks[Name]> {
  return tasks[name](input);
}

const toJson = (doc: ReturnType<typeof readText>) => doc && (doc.toJSON() as { type: string });

/** Asks the server process to store a picture: only that process has the database and the file store. */
async function storePicture(bytes: Buffer) {
  const answer = (await ask(bytes)) as PictureAnswer;
  if ('stored' in answer) return answer.stored;
  throw new ImageError(answer.refused);
}
