import { AppError, notFound } from '../../../../platform/errors.ts';
import { formatOpening } from '../../../../shared/exams/announcement.ts';
import type { Refusal } from './sitting.repository.ts';

/** The exam no longer exists, or its candidate was erased. */
export const gone = (): AppError => notFound("Ce concours blanc n'existe pas ou n'existe plus.");

/** Returns why a candidate's request was not stored: 404, 403 before the opening or without access, 409 after the end or the publication, 429 after too many batches. */
export function refused({ refusal, prepaNom, opensAt }: { refusal: Refusal; prepaNom: string | null; opensAt: Date | null }): AppError {
  if (refusal === 'gone') return gone();
  if (refusal === 'early')
    return new AppError(
      'EXAM.EARLY',
      403,
      `Ce concours blanc n'a pas encore commencé${opensAt ? ` : il ouvre le ${formatOpening(opensAt)}` : ''}.`,
      {
        ...(opensAt && { details: { ouverture: opensAt.getTime() } }),
      },
    );
  if (refusal === 'locked')
    return new AppError(
      'EXAM.LOCKED',
      403,
      `Ce concours blanc est réservé aux inscrits à la prépa ${prepaNom}. Inscrivez-vous, puis revenez ici.`,
    );
  if (refusal === 'full')
    return new AppError(
      'EXAM.FULL',
      429,
      "Trop d'envois pour cette copie : elle ne prend plus de réponses. Celles qui sont arrivées comptent ; remettez-la.",
    );
  if (refusal === 'published')
    return new AppError('EXAM.CLOSED', 409, 'Les résultats sont publiés : cette copie ne peut plus être complétée.');
  return new AppError('EXAM.CLOSED', 409, "Ce concours blanc est fermé : il n'est plus possible de le commencer.");
}

/** A device sends the answers of one candidate while another is signed in. */
export const otherCandidate = (): AppError =>
  new AppError(
    'EXAM.OTHER_CANDIDATE',
    409,
    "Ces réponses sont celles d'un autre candidat, qui s'est servi de cet appareil. Elles restent gardées ici jusqu'à ce qu'il se connecte.",
  );
