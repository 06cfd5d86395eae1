import { z } from 'zod';
import { idSchema } from '../../../platform/http/validators.ts';
import { itemKinds } from '../../../shared/item-kinds.ts';
import { maxDeviceName, maxEntriesPerCall, offlineFormat, outboxKinds } from '../../../shared/offline/offline-copy.ts';
import { answerFields } from '../../../shared/questions/answer-form.ts';
import { questionKinds } from '../../../shared/rich-text/question-kinds.ts';
import { questionId } from '../../questions/index.ts';
import { maxItems } from '../texts/versions.repository.ts';

/** Request and response schemas of the calls under /hors-ligne. Types: src/shared/offline/offline-copy.ts. */

const ms = z.number().meta({ description: 'En millisecondes depuis 1970' });
const octets = z.int();

/** UUID made by the device, never shown to anyone. */
const secret = z
  .uuid("Cet appareil n'est pas reconnu")
  .meta({ description: "L'UUID que l'appareil s'est donné ; il n'est conservé que haché" });
/** Maximum number of disciplines in a choice. */
const maxDisciplines = 200;
const disciplines = z
  .array(idSchema)
  .max(maxDisciplines, 'Trop de disciplines')
  .nullable()
  .meta({ description: 'null : toutes, aussi celles qui viendront' });

/** A single line without control characters. */
const deviceName = z.string().transform((text) =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .toWellFormed()
    .trim()
    .slice(0, maxDeviceName)
    .toWellFormed(),
);

export const keepBody = z.object({
  appareil: secret,
  nom: deviceName
    .optional()
    .meta({ description: "Comment le candidat connaît cet appareil ; sans lui, le nom d'avant, ou ce que dit son navigateur" }),
  disciplines: disciplines.refine((ids) => ids?.length !== 0, 'Choisissez au moins une discipline'),
});

/** The profile's form that renames a device. */
export const nameBody = z.object({ nom: deviceName });

export const forgetBody = z.object({ appareil: secret });

export const textsQuery = z.object({
  disciplines: z
    .string()
    .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/, 'Ces disciplines ne sont pas reconnues')
    .transform((list) => [...new Set(list.split(',').map(Number))].sort((one, other) => one - other))
    .pipe(z.array(z.int().max(2_147_483_647)).max(maxDisciplines, 'Trop de disciplines'))
    .optional()
    .meta({ description: 'Numéros, séparés par des virgules ; sans eux, toutes' }),
});

export const differencesBody = z.object({
  disciplines: disciplines.optional().default(null),
  tenus: z
    .array(z.tuple([idSchema, z.int().min(0).max(2_147_483_647)]))
    .max(maxItems, 'Trop de contenus')
    .meta({ description: "Ce que l'appareil tient : numéro et version de chaque contenu" }),
  changements: z.boolean().default(false).meta({ description: "Ce qui change d'un texte tenu, au lieu du texte, où c'est plus court" }),
});

export const contactBody = z.object({
  appareil: secret,
  prepas: z.array(z.object({ id: idSchema, disciplines: disciplines.optional().default(null) })).max(50, 'Trop de préparations'),
});

const keptAnswer = z.object({
  question: z.string().regex(questionId),
  ...answerFields,
  secondes: z.int().min(0).nullable().catch(null).optional(),
});

/** Most questions of a session: an hour of the shortest ones. */
const maxPlanned = 400;

const plannedQuestion = z.object({
  /** Of a question, or `item-` with the id of an exercise. */
  id: z.string().regex(/^[\w-]{1,20}$/),
  item: idSchema.optional(),
  discipline: idSchema,
  isNew: z.boolean(),
  seconds: z.int().min(0).max(86_400),
  // PostgreSQL stores neither NUL nor half surrogates.
  reason: z
    .string()
    .max(120)
    .refine((text) => text.isWellFormed() && !text.includes('\0')),
});

const entrySession = z.object({
  id: z.guid().transform((id) => id.toLowerCase()),
  partie: z.int().min(1).max(100),
  debut: z.number().min(0),
  prevues: z.array(plannedQuestion).min(1).max(maxPlanned).optional(),
  passe: z.literal(true).optional(),
  fin: z.literal(true).optional(),
});

/** An entry that can be counted. An answer that is not one is dropped: its entry still counts as reading. */
export const entrySchema = z.object({
  cle: z.uuid(),
  type: z.enum(outboxKinds),
  item: idSchema,
  le: z.number(),
  reponse: keptAnswer.optional().catch(undefined),
  seance: entrySession.optional().catch(undefined),
});

export const entriesBody = z.object({
  learner: z.string().max(100).meta({ description: "Celui qui l'a fait, comme `garder` et `contact` le nomment" }),
  entrees: z
    // Loose types: one invalid entry is dropped by `entrySchema` instead of failing the whole call.
    .array(
      z.object({
        cle: z.string().max(100),
        type: z.string().max(20),
        item: z.number(),
        le: ms,
        reponse: z.unknown().optional().meta({
          description:
            "Avec `lu` : la réponse à une question du contenu, avec son numéro (`question`) et un des champs de l'appel qui la vérifie (`choix`, `texte` ou `passe`)",
        }),
        seance: z.unknown().optional().meta({
          description:
            "Avec `lu` : la séance du jour (`id`, `partie`, `debut`), au début ce qu'elle demande (`prevues`) ; `passe` : l'exercice est passé, `fin` : la séance est terminée",
        }),
      }),
    )
    .max(maxEntriesPerCall, `Pas plus de ${maxEntriesPerCall} à la fois`),
});

const endOfCopy = z
  .object({
    said: z.string().meta({ description: 'JSON : candidat, appareil, préparation, dernier instant de lecture, instant de la signature' }),
    signature: z.string().meta({ description: 'ECDSA P-256 avec SHA-256, r et s en base64url' }),
  })
  .meta({ id: 'EndOfCopy' });

export const keepAnswer = z.object({
  device: z.int(),
  learner: z.string(),
  end: endOfCopy,
  publicKey: z.object({ kty: z.string(), crv: z.string(), x: z.string(), y: z.string() }),
});

const prepa = z.object({ id: z.int(), nom: z.string() });
const tally = z.object({ nombre: z.int(), octets });

export const sizesAnswer = z.object({
  prepa,
  end: ms.meta({ description: "Fin de l'inscription" }),
  textes: octets.meta({ description: 'Comme ils voyagent, compressés' }),
  images: tally,
  distantes: z.int().meta({ description: "Images d'autres sites, qui ne sont pas gardées" }),
  documents: tally,
  disciplines: z.array(z.object({ id: z.int(), nom: z.string(), contenus: z.int(), textes: octets, images: octets, documents: octets })),
  appareils: z
    .array(z.object({ id: z.int(), nom: z.string(), depuis: ms, vu: ms }))
    .meta({ description: 'Ceux du candidat qui la gardent' }),
});

const keptItem = z.object({
  id: z.int(),
  kind: z.enum(itemKinds),
  titre: z.string(),
  annee: z.int().nullable(),
  duree: z.int().nullable(),
  version: z.int(),
  contenu: z.string(),
  corrige: z.string().nullable(),
  pictures: z.array(z.object({ name: z.string(), octets })),
  documents: z.array(z.object({ id: z.int(), nom: z.string(), octets, url: z.string() })),
  keys: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(questionKinds),
        points: z.number(),
        right: z.array(z.string()),
        remarks: z.record(z.string(), z.string()),
        explanation: z.string().nullable(),
        value: z.string(),
        tolerance: z.string(),
        unit: z.string(),
        accepted: z.array(z.string()),
        usable: z.boolean(),
      }),
    )
    .optional()
    .meta({ description: 'Ce qui vérifie et explique les réponses aux questions du texte' }),
});
const textChange = z.object({ debut: z.int(), fin: z.int(), texte: z.string(), somme: z.int() }).meta({
  id: 'TextChange',
  description: 'Ce qui se trouvait entre debut et les fin dernières lettres est texte ; somme est celle du texte entier',
});

export const textsAnswer = z
  .object({
    format: z.literal(offlineFormat),
    prepa,
    tag: z.string(),
    disciplines: z.array(
      z.object({
        id: z.int(),
        nom: z.string(),
        description: z.string(),
        image: z.string().nullable(),
        items: z.array(z.object({ id: z.int(), version: z.int() })),
      }),
    ),
    items: z.array(keptItem),
    changes: z
      .array(keptItem.extend({ contenu: textChange, corrige: textChange.nullable() }))
      .optional()
      .meta({ description: 'Avec `changements`' }),
  })
  .meta({ id: 'TextsAnswer' });

export const marksQuery = z.object({
  tenues: z.string().max(40).optional().meta({ description: "Somme des réponses que l'appareil tient" }),
  depuis: z.coerce.number().min(0).optional().catch(undefined).meta({ description: 'Instant de la dernière de ces réponses, en ms' }),
});

const given = z.union([
  z.object({ choices: z.array(z.string()) }),
  z.object({ typed: z.string() }),
  z.object({ skipped: z.literal(true) }),
]);

const keptRevision = z
  .object({
    day: z.string().nullable(),
    minutes: z.int(),
    week: z.array(z.string()),
    session: z
      .object({
        id: z.string(),
        day: z.string(),
        part: z.int(),
        startedAt: ms,
        finishedAt: ms.nullable(),
        asked: z.array(z.object({ ...plannedQuestion.shape, passed: z.literal(true).optional() })),
        answers: z.record(z.string(), z.object({ given, isRight: z.boolean() })),
      })
      .nullable(),
    reponses: z
      .record(z.string(), z.array(z.number()))
      .meta({ description: "Par question : instants (l'un après l'autre), résultats et durées" }),
    suite: z.boolean().meta({ description: 'Seulement les réponses depuis `depuis`' }),
    tag: z.string(),
  })
  .meta({ id: 'KeptRevision', description: 'De quoi faire la séance du jour sans connexion' });

export const marksAnswer = z.object({
  learner: z.string(),
  marques: z.array(
    z.object({
      item: z.int(),
      readAt: ms,
      finished: z.boolean(),
      verdict: z.enum(['reussi', 'a_revoir']).nullable(),
      markedAt: ms.nullable(),
      times: z.int(),
    }),
  ),
  revision: keptRevision.nullable(),
});

export const contactAnswer = z.object({
  now: ms,
  learner: z.string().nullable(),
  prepas: z.array(
    z.object({
      id: z.int(),
      state: z.enum(['keep', 'remove', 'sign-in']),
      reason: z.enum(['ended', 'device-removed', 'session-ended', 'other-account', 'prepa-gone']).nullable(),
      end: endOfCopy.nullable(),
      tag: z.string().nullable(),
    }),
  ),
});

export const entriesAnswer = z.object({
  prises: z.array(z.string()).meta({ description: "Clés qu'il n'y a pas à renvoyer : prises, prises avant, ou sans objet" }),
});
