import { z } from 'zod';
import { reminderHours } from '../../../shared/revision/reminder.ts';
import { areBrowserKeys } from './protocol/encryption.ts';
import { pushServiceOf } from './protocol/endpoint.ts';

const unusable = "Ce navigateur n'a pas pu être inscrit aux rappels. Réessayez, ou prenez un autre navigateur.";

/**
 * Returns the schema of a browser's subscription, with the host of its push service.
 * @param local whether a push service on this machine is accepted, as tests have one
 */
export const subscriptionBody = (local: boolean) =>
  z
    .object({
      endpoint: z.string({ error: unusable }),
      p256dh: z.string({ error: unusable }).max(100, unusable),
      auth: z.string({ error: unusable }).max(40, unusable),
      heure: z.coerce
        .number({ error: 'Choisissez une heure' })
        .refine((hour) => reminderHours.includes(hour), { error: 'Choisissez une heure' }),
      /** The finished session on whose page the learner asked. */
      seance: z.guid().optional().catch(undefined),
    })
    .transform((body, context) => {
      const service = pushServiceOf(body.endpoint, local);
      if (service !== null && areBrowserKeys(body)) return { ...body, service };
      context.addIssue({ code: 'custom', message: unusable });
      return z.NEVER;
    });
export type Subscription = z.output<ReturnType<typeof subscriptionBody>>;
