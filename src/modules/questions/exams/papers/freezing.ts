import { type AppError, invalidRequest } from '../../../../platform/errors.ts';
import type { FileStore } from '../../../../platform/files/storage.ts';
import type { PaperText } from '../../../../shared/exams/paper-html.ts';
import { paperHtml } from '../../../../shared/exams/paper-html.ts';
import { questionsOf } from '../../../../shared/questions/question-html.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import type { SourceRow } from './paper.repository.ts';
import { PictureReader } from './pictures.ts';

/** Most questions of an exam. */
const maxExamQuestions = 300;
/** Largest paper, and largest sum of its keys and corrections, each with its pictures, in bytes. */
const maxPaperBytes = 8_000_000;

interface FrozenQuestion {
  questionId: string;
  paperId: number;
  position: number;
  key: QuestionKey;
}

/** A copy of an exam's papers, whose texts hold their pictures. */
export interface FrozenPapers {
  papers: (PaperText & { corrige: string | null })[];
  questions: FrozenQuestion[];
  /** The papers as candidates see them. */
  html: string;
}

/**
 * Copies the papers of an exam from their sources.
 * @throws AppError 400 when a paper cannot be used, or the exam is too long
 */
export async function freezePapers(prepaId: number, sources: readonly SourceRow[], files: FileStore): Promise<FrozenPapers> {
  const reader = new PictureReader(files);
  const papers: FrozenPapers['papers'] = [];
  const questions: FrozenQuestion[] = [];
  const named = new Map<string, string>();
  for (const { id, kind, titre, now } of sources) {
    if (!now || now.prepaId !== prepaId)
      throw unusable(`« ${titre} » n'existe plus dans cette préparation : retirez cette épreuve, ou choisissez-en une autre.`);
    const asked = questionsOf(now.contenu);
    const keys = new Map(now.keys.map((key) => [key.id, key]));
    for (const { id: questionId } of asked) {
      const key = keys.get(questionId);
      if (!key) throw unusable(`« ${now.titre} » a une question sans réponse juste : ouvrez ce contenu, puis enregistrez-le de nouveau.`);
      const other = named.get(questionId);
      if (other !== undefined) throw unusable(`« ${other} » et « ${now.titre} » ont une même question : retirez l'une de ces épreuves.`);
      named.set(questionId, now.titre);
      questions.push({ questionId, paperId: id, position: questions.length + 1, key: await keyWithPictures(key, reader, now.titre) });
    }
    if (kind === 'quiz' && asked.length === 0)
      throw unusable(`« ${now.titre} » n'a aucune question : complétez cette série, ou retirez-la.`);
    papers.push({
      id,
      kind,
      titre: now.titre.slice(0, 200).toWellFormed(),
      discipline: now.discipline,
      contenu: await reader.inText(now.contenu, now.titre),
      corrige: now.corrige && (await reader.inText(now.corrige, now.titre)),
    });
  }
  if (questions.length === 0) throw unusable('Choisissez au moins une série de questions : le classement se fait sur ses réponses.');
  if (questions.length > maxExamQuestions)
    throw unusable(`Ce concours blanc a ${questions.length} questions : ${maxExamQuestions} au plus. Retirez une épreuve.`);
  const html = paperHtml(papers);
  const others = JSON.stringify([questions, papers.map(({ corrige }) => corrige)]);
  if (Buffer.byteLength(html) > maxPaperBytes || Buffer.byteLength(others) > maxPaperBytes)
    throw unusable(
      `Le sujet et ses images dépassent ${maxPaperBytes / 1_000_000} Mo : les candidats ne pourraient pas le recevoir. Réduisez ses images, ou retirez une épreuve.`,
    );
  return { papers, questions, html };
}

async function keyWithPictures(key: QuestionKey, reader: PictureReader, titre: string): Promise<QuestionKey> {
  const remarks: QuestionKey['remarks'] = {};
  for (const [choice, html] of Object.entries(key.remarks)) remarks[choice] = await reader.inText(html, titre);
  return { ...key, remarks, explanation: key.explanation && (await reader.inText(key.explanation, titre)) };
}

const unusable = (message: string): AppError => invalidRequest([{ field: 'epreuves', message }], message);
