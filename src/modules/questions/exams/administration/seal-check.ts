import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { paperHtml } from '../../../../shared/exams/paper-html.ts';
import { unseal } from '../../../../shared/exams/sealed-paper.ts';
import { findPapers } from '../papers/paper.repository.ts';

const inflate = promisify(inflateRaw);

/** What the stored sealed paper of an exam is. `fault` is in French, null when the paper is whole. */
export interface SealStand {
  /** Size of the sealed paper, in bytes; 0 without one. */
  octets: number;
  questions: number;
  fault: string | null;
}

/** Opens the sealed paper of an announced exam with its stored key, as phones do, and compares it with the stored papers and questions. */
export async function checkSeal(em: EntityManager, id: number): Promise<SealStand> {
  const [row] = await em.execute<{ key: Buffer; sealed: Buffer; questions: number }[]>(
    'select key, sealed, (select count(*)::int from exam_question q where q.exam_id = s.exam_id) as questions from exam_seal s where exam_id = ?',
    [id],
  );
  if (!row) return { octets: 0, questions: 0, fault: "le sujet scellé n'existe pas" };
  const { key, sealed, questions } = row;
  const stand = { octets: sealed.length, questions };
  let html: string;
  try {
    html = (await inflate(await unseal(new Uint8Array(sealed), new Uint8Array(key)))).toString();
  } catch {
    return { ...stand, fault: "le sujet scellé ne s'ouvre pas avec sa clé" };
  }
  if (html !== paperHtml(await findPapers(em, id))) return { ...stand, fault: 'le sujet scellé diffère des épreuves enregistrées' };
  const asked = html.split('<div class="question" ').length - 1;
  return asked === questions ? { ...stand, fault: null } : { ...stand, fault: `le sujet a ${asked} questions, et ${questions} clés` };
}
