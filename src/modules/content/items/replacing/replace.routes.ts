import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../../platform/http/answers.ts';
import { idSchema, withZod } from '../../../../platform/http/validators.ts';
import { itemKinds, kindDetails } from '../../../../shared/item-kinds.ts';
import { isWritable } from '../../../../shared/rich-text/bounds.ts';
import { finderOf, maxQueryLength, type TextQuery } from '../../../../shared/rich-text/find/query.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { replaceInContents, searchContents } from './replace.service.ts';

/** Most contents that one request changes. */
const mostReplaced = 10;

const line = z
  .string()
  .max(maxQueryLength, `Le texte dépasse ${maxQueryLength} caractères`)
  .refine((text) => isWritable(text) && !/[\n\t]/.test(text), 'Le texte contient un caractère interdit');
const sought = line.refine(
  (text) => finderOf({ text, accents: false, capitals: false, wholeWords: false, formulas: false })(text).length > 0,
  'Écrivez le texte à chercher',
);
const queryFields = {
  texte: sought,
  accents: z.boolean().default(false).meta({ description: "'é' et 'e' diffèrent" }),
  casse: z.boolean().default(false).meta({ description: "'A' et 'a' diffèrent" }),
  mots_entiers: z.boolean().default(false),
  formules: z.boolean().default(false).meta({ description: 'Chercher aussi dans le LaTeX des formules' }),
};
const searchBody = z.object({
  ...queryFields,
  discipline_id: idSchema,
  apres: z.int().min(0).default(0).meta({ description: 'Valeur de `suite` de la réponse précédente' }),
});
const searchAnswer = z.object({
  contenus: z.array(
    z.object({
      id: z.int(),
      type: z.enum(itemKinds),
      titre: z.string(),
      intitule: z.string().meta({ description: "'' : aucun" }),
      numero_page: z.int().nullable(),
      annee: z.string().nullable(),
      brouillon: z.boolean(),
      revision: z.int().meta({ description: "Version du contenu publié, révision d'un brouillon" }),
      saved_by: z.string().nullable(),
      trouves: z.int(),
      extraits: z.array(z.object({ avant: z.string(), trouve: z.string(), apres: z.string() })),
    }),
  ),
  lus: z.int().meta({ description: 'Nombre de contenus lus par cette demande' }),
  suite: z.int().nullable().meta({ description: 'null : la discipline est lue en entier' }),
});
const replaceBody = z.object({
  ...queryFields,
  remplacement: line,
  contenus: z
    .array(z.object({ id: idSchema, brouillon: z.boolean(), revision: z.int().min(1) }))
    .min(1)
    .max(mostReplaced),
});
const replaceAnswer = z.array(
  z.object({
    id: z.int(),
    brouillon: z.boolean(),
    remplaces: z.int(),
    message: z.string().optional().meta({ description: "Pourquoi rien n'a été remplacé" }),
  }),
);

const queryOf = ({ texte, accents, casse, mots_entiers, formules }: z.infer<z.ZodObject<typeof queryFields>>): TextQuery => ({
  text: texte,
  accents,
  capitals: casse,
  wholeWords: mots_entiers,
  formulas: formules,
});

/** Administrators' calls that find and replace a text across a discipline. */
export const replaceRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = administratorsBeforeBody(app);
  const tags = ['Rédaction'];

  app.post(
    '/contenus/recherche',
    {
      ...guarded,
      schema: {
        tags,
        summary: "Cherche un texte dans les contenus et les brouillons d'une discipline, par lots",
        body: searchBody,
        response: { 200: searchAnswer, ...errorAnswers(400, 401, 503) },
      },
    },
    async (request) => {
      const { discipline_id, apres } = request.body;
      const place = { disciplineId: discipline_id, query: queryOf(request.body), after: apres };
      const { found, searched, next } = await searchContents(request.em, place);
      return {
        contenus: found.map(({ id, kind, titre, intitule, numeroPage, annee, isDraft, revision, savedBy, count, excerpts }) => ({
          id,
          type: kind,
          titre,
          intitule,
          numero_page: numeroPage,
          annee: kindDetails[kind].hasAnnee ? annee : null,
          brouillon: isDraft,
          revision,
          saved_by: savedBy,
          trouves: count,
          extraits: excerpts.map(({ before, found, after }) => ({ avant: before, trouve: found, apres: after })),
        })),
        lus: searched,
        suite: next,
      };
    },
  );

  app.post(
    '/contenus/remplacement',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Remplace un texte dans des contenus, chacun par un enregistrement ; ceux que la réponse ne nomme pas sont à redemander',
        body: replaceBody,
        response: { 200: replaceAnswer, ...errorAnswers(400, 401, 503) },
      },
    },
    async (request, reply) => {
      const { remplacement, contenus } = request.body;
      const targets = contenus.map(({ id, brouillon, revision }) => ({ id, isDraft: brouillon, revision }));
      const change = { query: queryOf(request.body), replacement: remplacement, targets };
      const outcomes = await replaceInContents(request.em, request.context, request.actor, change);
      for (const { item } of outcomes) if (item) for (const listener of app.afterItemSave) reply.afterwards(() => listener(item));
      return outcomes.map(({ id, isDraft, count, message }) => ({ id, brouillon: isDraft, remplaces: count, ...(message && { message }) }));
    },
  );
};
