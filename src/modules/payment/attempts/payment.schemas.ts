import { z } from 'zod';
import { idSchemaOf } from '../../../platform/http/validators.ts';
import { providerSchema } from '../contract/provider.schemas.ts';

const invalidForm = { error: 'Formulaire invalide' };

const prepaIdSchema = idSchemaOf('Identifiant de préparation invalide', /^\d{1,10}$/);

const referenceSchema = z
  .string({ error: 'Référence de paiement invalide' })
  .regex(/^[A-Za-z0-9_-]{1,84}$/, 'Référence de paiement invalide');

/** Returns an optional schema for which an empty form field counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

/** Body of a start. Amount and learner come from the server: any other posted field is ignored (design §4). */
export const startBody = z.object(
  {
    prepaId: prepaIdSchema,
    provider: optional(providerSchema),
    /** Starts a further attempt next to the open one. The learner has been warned. */
    anotherAttempt: optional(z.union([z.boolean(), z.literal('1').transform(() => true)], { error: 'Choix invalide' })),
    /** Reference of the open attempt that the learner has seen and wants to resume; sent by forms without JavaScript. */
    resume: optional(referenceSchema),
  },
  invalidForm,
);

/** An attempt that is still open. It is returned instead of a new one, and shown first. */
const openAttempt = z.object({
  reference: z.string(),
  provider: z.string(),
  label: z.string(),
  montant: z.string(),
  begun: z.string(),
  resumable: z.boolean(),
  mayBeginAnother: z.boolean(),
  /** Note about the learner's other open attempts for this prepa; null when there are none. */
  autres: z.string().nullable(),
});

const checkoutAnswer = {
  reference: z.string(),
  amount: z.int(),
  currency: z.string(),
  provider: z.string(),
  attempt: openAttempt,
  open: openAttempt.optional(),
};

export const startAnswer = z.union([
  z.object({
    ...checkoutAnswer,
    widget: z.object({ script: z.string(), options: z.record(z.string(), z.union([z.string(), z.number()])) }),
    checkoutUrl: z.string(),
  }),
  z.object({ ...checkoutAnswer, redirectUrl: z.string() }),
  // The provider's address was already used: the attempt can only be verified, or left for a new one.
  z.object({ ...checkoutAnswer, open: openAttempt }),
]);

/**
 * The specification's payload (§7). Only the reference is used. Without it, the simulation's choice is used, if the settings allow
 * it.
 */
export const processBody = z.object(
  {
    transactionReference: optional(referenceSchema),
    prepaId: optional(prepaIdSchema),
    provider: optional(providerSchema),
    simulationStatus: optional(z.union([z.string().max(40), z.number(), z.boolean()], { error: 'Choix de simulation invalide' })),
  },
  invalidForm,
);

export const processAnswer = z.object({
  status: z.enum(['success', 'pending', 'failed']),
  reference: z.string(),
  prepaId: z.int().nullable(),
  message: z.string(),
  /** After a refusal: the reason, if the provider tells it, and what the learner can do. */
  help: z.string().nullable(),
});
