import { z } from 'zod';

/** According to integrators, the provider accepts an e-mail address or a user name as receiver. */
const RECEIVER = /^(?:[A-Za-z][A-Za-z0-9 _-]+|[^\s@]+@[^\s@]+\.[^\s@]+)$/;
// \p{Cc} because linters refuse control characters in a regular expression literal.
const CONTROL_CHARACTERS = /\p{Cc}/u;

/** According to integrators, the widget sends every parameter; absent parameters are empty strings. */
function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

const url = z.url({ protocol: /^https?$/, error: 'adresse http ou https attendue' }).max(2048, '2048 caractères au plus');

export const referenceSchema = z
  .string({ error: 'référence attendue' })
  .min(1, 'référence attendue')
  .max(84, '84 caractères au plus')
  .refine((ref) => !CONTROL_CHARACTERS.test(ref) && ref === ref.trim(), 'caractères non admis');

/** Checkout parameters of payment-providers.md §3. The amount is an integer in the currency's units. */
export const checkoutParametersSchema = z.object({
  receiver: z
    .string({ error: 'receveur attendu' })
    .max(100, '100 caractères au plus')
    .regex(RECEIVER, 'adresse e-mail ou nom de compte attendu'),
  amount: z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      { error: 'nombre entier attendu' },
    )
    .pipe(z.int({ error: 'nombre entier attendu' }).min(1, 'au moins 1').max(100_000_000, '100000000 au plus')),
  currency: z.string({ error: 'devise attendue' }).regex(/^[A-Z]{3}$/, 'trois lettres majuscules attendues'),
  ref: referenceSchema,
  memo: optional(z.string().max(225, '225 caractères au plus')),
  notification_url: optional(url),
  success_url: optional(url),
  cancel_url: optional(url),
});

export type CheckoutParameters = z.output<typeof checkoutParametersSchema>;
