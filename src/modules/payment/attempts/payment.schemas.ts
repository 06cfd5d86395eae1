import { z } from 'zod';
import { idSchemaOf } from '../../../platform/http/validators.ts';
import { providerSchema } from '../contract/provider.schemas.ts';

const invalidForm = { error: 'Formulaire invalide' };

const prepaIdSchema = idSchemaOf('Identifiant de préparation invalide', /^\d{1,10}$/);

const referenceSchema = z
  .string({ error: 'Référence de paiement invalide' })
  .regex(/^[A-Za-z0-9_-]{1,84}$/, 'Référence de paiement invalide');

/** An empty field of a form counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

/** Amount and learner are ours: whatever else the page sends is ignored (design §4). */
export const startBody = z.object(
  {
    prepaId: prepaIdSchema,
    provider: optional(providerSchema),
    /** One more, beside the attempt that is open: the learner has been told what that means. */
    anotherAttempt: optional(z.union([z.boolean(), z.literal('1').transform(() => true)], { error: 'Choix invalide' })),
    /** Of a form: the open attempt that the learner has been shown and goes on with. */
    resume: optional(referenceSchema),
  },
  invalidForm,
);

/** An attempt that is still open is answered instead of a new one, and shown first. */
const openAttempt = z.object({
  reference: z.string(),
  provider: z.string(),
  label: z.string(),
  montant: z.string(),
  begun: z.string(),
  resumable: z.boolean(),
  mayBeginAnother: z.boolean(),
  /** Says of the learner's other open attempts at this prepa where they are; null without any. */
  autres: z.string().nullable(),
});

const checkoutAnswer = {
  reference: z.string(),
  amount: z.int(),
  currency: z.string(),
  provider: z.string(),
  open: openAttempt.optional(),
};

export const startAnswer = z.union([
  z.object({
    ...checkoutAnswer,
    widget: z.object({ script: z.string(), options: z.record(z.string(), z.union([z.string(), z.number()])) }),
    checkoutUrl: z.string(),
  }),
  z.object({ ...checkoutAnswer, redirectUrl: z.string() }),
  // Open at a provider whose address has served: to be verified, or left beside another one.
  z.object({ ...checkoutAnswer, open: openAttempt }),
]);

/** The specification's payload (§7). Only the reference counts; the simulation's choice does when the settings allow it and no reference is sent. */
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
});
