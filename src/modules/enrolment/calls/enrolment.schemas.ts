import { z } from 'zod';
import { enrolmentStatuses } from '../access/enrolment.entity.ts';

/** An enrolment as calls answer it (specification §3). */
export const enrolmentAnswer = z.object({
  id: z.int(),
  prepa_id: z.int().nullable().meta({ description: 'null : la préparation a été supprimée' }),
  prepa_nom: z.string(),
  statut: z.enum(enrolmentStatuses),
  date_inscription: z.iso.datetime(),
  date_expiration: z.iso.datetime(),
});
