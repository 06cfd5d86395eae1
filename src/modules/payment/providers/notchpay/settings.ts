import { z } from 'zod';
import { baseUrl, originUrl, whole } from '../../../../platform/settings/variables.ts';

/** Sent as the value of a header. How a key begins is not checked: the provider's pages disagree. */
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
    // Outside production nobody talks to the real provider by default: its simulator listens there.
    const url = env.NOTCHPAY_BASE_URL ?? (real ? 'https://api.notchpay.co' : 'http://127.0.0.1:4011');
    return {
      /** Null: it can open nothing. */
      publicKey: env.NOTCHPAY_PUBLIC_KEY ?? null,
      /** What its notifications are signed with; null: none is believed. */
      hashKey: env.NOTCHPAY_HASH_KEY ?? null,
      baseUrl: url,
      /** Where its checkout pages stand. */
      checkoutOrigin: env.NOTCHPAY_CHECKOUT_ORIGIN ?? (real ? 'https://pay.notchpay.co' : new URL(url).origin),
      signatureHeader: env.NOTCHPAY_SIGNATURE_HEADER,
      signatureAlgorithm: env.NOTCHPAY_SIGNATURE_ALGORITHM,
      /** A trial payment, made with test keys, opens access like any other; never in production. */
      acceptsSandbox: !real,
      timeoutMs: env.NOTCHPAY_TIMEOUT_MS,
    };
  });
export type NotchpaySettings = z.output<typeof notchpaySettings>;
