import { z } from 'zod';

/** A provider's slug in bodies and addresses. */
export const providerSchema = z.string({ error: 'Moyen de paiement invalide' }).regex(/^[a-z0-9]{1,20}$/, 'Moyen de paiement invalide');
