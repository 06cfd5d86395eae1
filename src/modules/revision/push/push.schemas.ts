import { z } from 'zod';
import { reminderHours } from '../../../shared/revision/reminder.ts';
import { areBrowserKeys } from './protocol/encryption.ts';
import { pushServiceOf } from './protocol/endpoint.ts';

const unusable = "Ce navigateur n'a pas pu être inscrit aux rappels. Réessayez, ou prenez un autre navigateur.";

const base64url = /^[\w-]+=*$/;

/**
 * Returns the schema of a browser's subscription, with the host of its push service.
 * @param local whether a push service on this machine is accepted, as tests have one
 */
export const subscriptionBody = (local: boolean) =>
  z
    .object({
      endpoint: z.string({ error: unusable }),
      p256dh: z.string({ error: unusable }).max(100, unusable).regex(base64url, unusable),
      auth: z.string({ error: unusable }).max(40, unusable).regex(base64url, unusable),
      heure: z.coerce
        .number({ error: 'Choisissez une heure' })
        .refine((hour) => reminderHours.includes(hour), { error: 'Choisissez une heure' }),
      /** The finished session on whose page the learner asked. */
      seance: z.guid().optional().catch(undefined),
    })
    .transform((body, context) => {
      const service = pushServiceOf(body.endpoint, local);
      // Without what URL parsers skip or browsers do not send: line ends, and the fragment.
      const { origin, pathname, search } = URL.canParse(body.endpoint) ? new URL(body.endpoint) : { origin: '', pathname: '', search: '' };
      if (service !== null && areBrowserKeys(body)) return { ...body, endpoint: origin + pathname + search, service };
      context.addIssue({ code: 'custom', message: unusable });
      return z.NEVER;
    });
export type Subscription = z.output<ReturnType<typeof subscriptionBody>>;
