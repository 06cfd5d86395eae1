import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { confirmationRequired } from '../prepas/catalogue.errors.ts';
import type { Loss } from '../prepas/catalogue.events.ts';
import type { deletionBody } from '../prepas/catalogue.schemas.ts';

/** The administrator's confirmation of a deletion. */
export type Confirmation = z.output<typeof deletionBody>;

const order: readonly Loss['kind'][] = ['learners', 'payments', 'contents'];

/**
 * Throws unless the losses of a deletion were confirmed by typing the name. If the confirmation holds a digest of the losses shown,
 * they must be unchanged.
 * @param ending French instruction to delete all the same
 * @throws AppError 409 with `confirmationRequired` and all losses
 */
export function requireConfirmed(
  losses: readonly Loss[],
  { name, seen }: Confirmation,
  { nom, ending }: { nom: string; ending: string },
): void {
  const told = losses.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  const vu = createHash('sha256')
    .update(JSON.stringify(told.map(({ kind, key }) => [kind, key])))
    .digest('base64url');
  if (name === nom && (seen === null || seen === vu)) return;
  const changed = name === nom ? ["Rien n'a été supprimé : la situation a changé depuis que vous l'avez vue."] : [];
  const pertes = told.map(({ text }) => text);
  throw confirmationRequired([...changed, ...pertes, ending].join(' '), { nom, pertes, vu });
}
