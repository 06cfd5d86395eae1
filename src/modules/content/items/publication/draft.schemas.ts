import { z } from 'zod';
import { idSchema } from '../../../../platform/http/validators.ts';
import { itemKinds } from '../../../../shared/item-kinds.ts';
import { draftLimit } from '../drafts/draft.repository.ts';
import { savedText as text } from '../item.schemas.ts';

/** Schemas of the administrators' calls on drafts (decision 129). The use cases check forms: a draft may be incomplete. */

const typed = z.union([z.string(), z.number(), z.null()]).optional().meta({ description: 'Tel que saisi : vérifié à la publication' });
const html = z.string().meta({ description: 'HTML' });

export const draftForm = z.object({
  titre: typed,
  intitule: typed,
  annee: typed,
  duree: typed,
  bareme: z.union([z.string(), z.null(), z.looseObject({})]).optional(),
  contenu: text,
  enonce: text,
  corrige: text,
  remarques: z.array(z.string()).optional().meta({ description: "Ce qui n'a pas pu être gardé du fichier importé" }),
  revision: z.int().nullish().meta({ description: 'Révision dont part la modification ; null : le premier brouillon de ce contenu' }),
  version: z.int().nullish().meta({ description: 'Version publiée dont part le brouillon' }),
});

const listed = {
  id: z.int().meta({ description: 'Identifiant du contenu, publié ou non' }),
  type: z.enum(itemKinds),
  titre: z.string(),
  intitule: z.string().meta({ description: "'' : aucun" }),
  annee: z.string().optional(),
  duree: z.string().optional(),
  bareme: z.string().optional(),
  discipline_id: z.int(),
  publie: z.boolean().meta({ description: 'Le contenu est publié : le brouillon le modifie' }),
  version: z.int().nullable(),
  revision: z.int(),
  publication: z.iso.datetime().nullable().meta({ description: 'Quand il sera publié' }),
  echec: z.string().nullable().meta({ description: "Pourquoi il n'a pas pu être publié" }),
  remarques: z.array(z.string()),
  source: z.string().nullable().meta({ description: 'Nom du fichier importé' }),
  saved_at: z.iso.datetime(),
  saved_by: z.string(),
};
const whole = { ...listed, contenu: html.optional(), enonce: html.optional(), corrige: html.nullish() };

export const listedDrafts = z.array(z.object(listed));
export const draftAnswer = z.object(whole).meta({ id: 'Brouillon' });
/** Response of a save: the draft, and remarks on the parts of this save that could not be kept. */
export const keptAnswer = z.object({ brouillon: draftAnswer, remarques: z.array(z.string()) });

const revision = z.int().min(1).nullish().meta({ description: 'Révision vue ; dépassée, rien ne change (409)' });
export const publishBody = z
  .object({ revision })
  .nullish()
  .transform((body) => body?.revision ?? null);
export const scheduleBody = z.object({
  publication: z.iso
    .datetime({ offset: true, error: 'Date invalide' })
    .transform((text) => new Date(text))
    .nullable()
    .meta({ description: 'Date et heure ; null : pas de date' }),
  revision,
});
export const publishManyBody = z
  .object({
    ids: z.array(idSchema).min(1).max(draftLimit),
    vus: z
      .array(z.object({ revision: z.int().min(1), version: z.int().min(1).nullable() }))
      .optional()
      .meta({ description: "Révision et version vues de chaque brouillon, dans l'ordre de `ids` ; un autre n'est pas publié" }),
  })
  .refine(({ ids, vus }) => !vus || vus.length === ids.length, { path: ['vus'], error: 'Une révision par brouillon' });
export const publishManyAnswer = z.array(
  z.object({
    id: z.int(),
    publie: z.boolean(),
    message: z.string().optional(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  }),
);
