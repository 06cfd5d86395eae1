import { z } from 'zod';
import { uploadedFile } from '../../../platform/http/answers.ts';
import { idSchema } from '../../../platform/http/validators.ts';
import { disciplineSchema, prepaSchema } from '../../../shared/forms/catalogue.ts';

/** Shapes of the administrators' calls (specification §7). Forms are checked by the use cases, with the schemas that the pages use too. */

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

/** A discipline in the list that everybody may read: with its version for administrators only. */
export const listedDiscipline = disciplineAnswer.partial({ version: true }).meta({ id: 'ListedDiscipline' });

export const prepaCreation = z.object({ ...prepaSchema.shape, auteur: z.uuid(), image: uploadedFile });
export const prepaUpdate = z.object({ ...prepaSchema.shape, version, image: uploadedFile.optional() });
export const disciplineCreation = z.object({ ...disciplineSchema.shape, prepa_concours_id: idSchema, image: uploadedFile.optional() });
export const disciplineUpdate = z.object({ ...disciplineSchema.shape, version, image: uploadedFile.optional() });

/**
 * What a deletion may bring along when learners would lose access: the name as typed (null before it was asked for), and what was shown of what is lost
 * (null from programs that confirm whatever it is).
 */
export const deletionBody = z
  .object({ confirmation: z.string().max(300).optional(), vu: z.string().max(100).optional() })
  .nullish()
  .transform((body) => ({ name: body?.confirmation ?? null, seen: body?.vu ?? null }));

/** A search in prepas as it comes in an address: trimmed, at most 100 letters of it; what is not understood counts as absent. */
export const prepaSearch = z
  .string()
  .transform((text) => text.replaceAll('\0', '').trim().slice(0, 100).trim())
  .catch('');
