import { z } from 'zod';
import { baseUrl, httpUrl, whole } from '../../../../platform/settings/variables.ts';

export const zitopaySettings = z
  .object({
    NODE_ENV: z.string().optional(),
    ZITOPAY_RECEIVER: z.string().max(100).optional(),
    ZITOPAY_BASE_URL: baseUrl.optional(),
    ZITOPAY_SCRIPT_URL: httpUrl.optional(),
    ZITOPAY_TIMEOUT_MS: whole(10_000, 100, 60_000),
    ZITOPAY_CHECKOUT: z.enum(['widget', 'page'], { error: 'doit valoir widget ou page' }).default('widget'),
  })
  .transform((env) => {
    const real = env.NODE_ENV === 'production';
    // Outside production the default is the simulator's address, so that no test reaches the real provider.
    const url = env.ZITOPAY_BASE_URL ?? (real ? 'https://zitopay.africa' : 'http://127.0.0.1:4010');
    return {
      /** Our receiver at the provider; empty: we have no payments there. */
      receiver: env.ZITOPAY_RECEIVER ?? (real ? '' : 'demo'),
      baseUrl: url,
      scriptUrl: env.ZITOPAY_SCRIPT_URL ?? `${url}/assets/js/payment.js`,
      timeoutMs: env.ZITOPAY_TIMEOUT_MS,
      /** Whether its script runs on learners' pages; otherwise learners are sent to its own page. */
      hasWidget: env.ZITOPAY_CHECKOUT === 'widget',
    };
  });
export type ZitopaySettings = z.output<typeof zitopaySettings>;
