import { z } from 'zod';
import { baseUrl, originUrl, whole } from '../../../../platform/settings/variables.ts';

/** A key that can be sent as a header's value. Its prefix is not checked, since the provider's pages disagree about it. */
const apiKey = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: 'doit tenir en 200 caractères sans espace ni accent' });

export const notchpaySettings = z
  .object({
    NODE_ENV: z.string().optional(),
    NOTCHPAY_PUBLIC_KEY: apiKey.optional(),
    NOTCHPAY_HASH_KEY: apiKey.optional(),
    NOTCHPAY_BASE_URL: baseUrl.optional(),
    NOTCHPAY_CHECKOUT_ORIGIN: originUrl.optional(),
    NOTCHPAY_SIGNATURE_HEADER: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,60}$/, { error: "doit être un nom d'en-tête" })
      .default('x-notch-signature')
      .transform((value) => value.toLowerCase()),
    NOTCHPAY_SIGNATURE_ALGORITHM: z.enum(['sha256', 'sha512'], { error: 'doit valoir sha256 ou sha512' }).default('sha256'),
    NOTCHPAY_TIMEOUT_MS: whole(10_000, 100, 60_000),
  })
  .transform((env) => {
    const real = env.NODE_ENV === 'production';
    // Outside production the default is the simulator's address, so that no test reaches the real provider.
    const url = env.NOTCHPAY_BASE_URL ?? (real ? 'https://api.notchpay.co' : 'http://127.0.0.1:4011');
    return {
      /** Null: no payment can be opened. */
      publicKey: env.NOTCHPAY_PUBLIC_KEY ?? null,
      /** Key of the notifications' signatures; null: no notification is accepted as signed. */
      hashKey: env.NOTCHPAY_HASH_KEY ?? null,
      baseUrl: url,
      /** Origin of its checkout pages. */
      checkoutOrigin: env.NOTCHPAY_CHECKOUT_ORIGIN ?? (real ? 'https://pay.notchpay.co' : new URL(url).origin),
      signatureHeader: env.NOTCHPAY_SIGNATURE_HEADER,
      signatureAlgorithm: env.NOTCHPAY_SIGNATURE_ALGORITHM,
      /** Whether test payments, made with test keys, open access like real ones; never in production. */
      acceptsSandbox: !real,
      timeoutMs: env.NOTCHPAY_TIMEOUT_MS,
    };
  });
export type NotchpaySettings = z.output<typeof notchpaySettings>;
