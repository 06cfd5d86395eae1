import { z } from 'zod';

const CONTROL_CHARACTERS = /\p{Cc}/u;
const url = z.url({ protocol: /^https?$/, error: 'adresse http ou https attendue' }).max(2048, '2048 caractères au plus');

/** The maximum length is unconfirmed (docs/payment-providers.md). */
export const referenceSchema = z
  .string({ error: 'référence attendue' })
  .min(1, 'référence attendue')
  .max(100, '100 caractères au plus')
  .refine((ref) => !CONTROL_CHARACTERS.test(ref) && ref === ref.trim(), 'caractères non admis');

/** Body of POST /payments (payment-providers.md §4). The amount is an integer in the currency's units. */
export const startRequestSchema = z.object({
  amount: z.int({ error: 'nombre entier attendu' }).min(1, 'au moins 1').max(100_000_000, '100000000 au plus'),
  currency: z.string({ error: 'devise attendue' }).regex(/^[A-Z]{3}$/, 'trois lettres majuscules attendues'),
  email: z.email({ error: 'adresse e-mail attendue' }).max(254).optional(),
  phone: z.string().max(40).optional(),
  customer: z.union([z.string().max(100), z.record(z.string(), z.unknown())]).optional(),
  description: z.string().max(500, '500 caractères au plus').optional(),
  reference: referenceSchema.optional(),
  callback: url.optional(),
  locked_currency: z.string().optional(),
  locked_country: z.string().optional(),
});

export type StartRequest = z.output<typeof startRequestSchema>;

/** Faults by field, as in the body of a 422. */
export type FieldFaults = Record<string, string[]>;

/** Complete Cameroonian number, the only form that the strict check accepts, according to integrators (docs/payment-providers.md). */
const PHONE = /^\+237[26]\d{8}$/;

/** Returns the validated body of a start request, or `faults` if the body is invalid. */
export function readStartRequest(body: unknown, strictPhone: boolean): { request: StartRequest } | { faults: FieldFaults } {
  const result = startRequestSchema.safeParse(body);
  if (!result.success) {
    const faults: FieldFaults = {};
    for (const { path, message } of result.error.issues) {
      const field = path.join('.') || 'body';
      faults[field] = [...(faults[field] ?? []), message];
    }
    return { faults };
  }
  const { email, phone, customer } = result.data;
  if (email === undefined && phone === undefined && customer === undefined) {
    return { faults: { email: ['email, phone ou customer attendu'] } };
  }
  if (strictPhone && phone !== undefined && !PHONE.test(phone)) return { faults: { phone: ['numéro de téléphone incorrect'] } };
  return { request: result.data };
}
