import { administratorRegistrationSchema, administratorSignInSchema } from '../../src/shared/forms/administrator.ts';
import { parseForm } from '../../src/shared/forms/field-errors.ts';
import { byField, type FieldErrors, type Typed } from '../forms/form-fields.ts';
import type { Outcome } from '../forms/form-state.ts';
import type { Answer } from '../runtime/post.ts';
import { type AdminAuthView, unreachable, views } from './view.ts';

/** Body of a successful response: `token` after a sign-in, `adminId` after a registration (specification §7). */
export interface AdminAuthBody {
  adminId: string;
  token: string;
  /** True when the password is correct and the code page must ask for the second factor. */
  secondFactor: boolean;
}

/** Returns the first fault of each field. The server checks the same rules. */
export function faultsOf(view: AdminAuthView, typed: Typed): FieldErrors {
  const schema = view === 'connexion' ? administratorSignInSchema : administratorRegistrationSchema;
  return byField(views[view].fields, parseForm<unknown>(schema, typed).errors ?? []);
}

/**
 * Reads the response to a sign-in or registration (specification §8). Errors of no field are shown in the form and as a toast.
 * @param answer null if there was no response
 * @param online false if the device has no network and nothing was sent
 */
export function readAnswer(view: AdminAuthView, answer: Answer<AdminAuthBody> | null, online = true): Outcome {
  const { fields, unexpected, failure, silence } = views[view];
  if (answer?.body.secondFactor) return { kind: 'accepted', to: '/admin/connexion/code' };
  if (answer?.ok) return (view === 'connexion' ? answer.body.token : answer.body.adminId) ? { kind: 'accepted' } : refused(unexpected);
  const errors = byField(fields, answer?.body.errors ?? []);
  if (Object.keys(errors).length > 0) return { kind: 'refused', errors, notice: null, toast: null };
  if (answer) return answer.body.message ? refused(answer.body.message, null) : refused(failure);
  return refused(online ? silence : unreachable, 'Ce que vous avez saisi est conservé : vérifiez votre connexion, puis réessayez.');
}

function refused(message: string, detail: string | null = 'Ce que vous avez saisi est conservé : réessayez dans un instant.'): Outcome {
  return { kind: 'refused', errors: {}, notice: { kind: 'error', message, ...(detail === null ? {} : { detail }) }, toast: message };
}
