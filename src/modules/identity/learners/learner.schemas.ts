import { z } from 'zod';
import { administratorRoles } from '../../../shared/forms/administrator.ts';

/** What the doors answer (specification §7). Forms are checked by the use cases, with the schemas that the pages use too. */

export const learnerAnswer = z.object({ id: z.uuid(), username: z.string(), email: z.string() }).meta({ id: 'Learner' });

export const registrationAnswer = z.object({ message: z.string(), user: learnerAnswer, token: z.string().optional() });
export const signInAnswer = z.object({ message: z.string(), user: learnerAnswer, token: z.string() });

export const administratorRegistrationAnswer = z.object({ message: z.string(), adminId: z.uuid() });
export const administratorSignInAnswer = z.object({
  message: z.string(),
  token: z.string(),
  adminId: z.uuid(),
  role: z.enum(administratorRoles),
});

export const signOutAnswer = z.object({ message: z.string() });
