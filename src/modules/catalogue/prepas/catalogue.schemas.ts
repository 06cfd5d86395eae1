import { z } from 'zod';
import * as zm from 'zod/mini';
import { uploadedFile } from '../../../platform/http/answers.ts';
import { idSchema } from '../../../platform/http/validators.ts';
import { disciplineSchema, prepaNom, prepaSchema } from '../../../shared/forms/catalogue.ts';

/** Schemas of the administrators' calls (specification §7). The use cases check forms, with the same schemas as the pages. */

const version = z.string().optional().meta({ description: 'Version dont part la modification ; dépassée, elle est refusée (409)' });

export const prepaAnswer = z
  .object({
    id: z.int(),
    nom: z.string(),
    description: z.string(),
    prix: z.int().meta({ description: 'XAF' }),
    image_url: z.string().nullable(),
    is_published: z.boolean(),
    auteur: z.uuid().nullable(),
    version: z.int(),
  })
  .meta({ id: 'Prepa' });

/** A prepa as everybody may read it. */
export const publishedPrepa = prepaAnswer.omit({ version: true }).meta({ id: 'PublishedPrepa' });

export const disciplineAnswer = z
  .object({
    id: z.int(),
    nom: z.string(),
    description: z.string(),
    image_url: z.string().nullable(),
    prepa_concours_id: z.int(),
    version: z.int(),
  })
  .meta({ id: 'Discipline' });

export const toggleAnswer = z.object({ id: z.int(), is_published: z.boolean(), message: z.string() });

/** A discipline in the public list; its version is only for administrators. */
export const listedDiscipline = disciplineAnswer.partial({ version: true }).meta({ id: 'ListedDiscipline' });

export const prepaCreation = z.object({ ...prepaSchema.shape, auteur: z.uuid(), image: uploadedFile });
export const prepaUpdate = z.object({ ...prepaSchema.shape, version, image: uploadedFile.optional() });
export const disciplineCreation = z.object({ ...disciplineSchema.shape, prepa_concours_id: idSchema, image: uploadedFile.optional() });
export const disciplineUpdate = z.object({ ...disciplineSchema.shape, version, image: uploadedFile.optional() });

/** The name from which a cover is drawn. */
export const drawnCoverQuery = z.object({ nom: z.string().optional() });
export const drawnCoverForm = zm.object({ nom: prepaNom });
export const drawnCover = z.any().meta({ type: 'string', format: 'binary' });

/**
 * Body of a deletion through which learners would lose access: the typed name (null before it is requested), and the digest of the
 * losses shown (null from API clients that confirm any losses).
 */
export const deletionBody = z
  .object({ confirmation: z.string().max(300).optional(), vu: z.string().max(100).optional() })
  .nullish()
  .transform((body) => ({ name: body?.confirmation ?? null, seen: body?.vu ?? null }));

/** Search text in an address: trimmed, at most 100 characters. Invalid values are ignored. */
export const prepaSearch = z
  .string()
  .transform((text) => text.replaceAll('\0', '').trim().slice(0, 100).trim())
  .catch('');
