import { formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import type { PaymentHealth } from '../../payment/index.ts';
import { addressOf, basePath } from './filters.ts';
import type { PaymentSummary } from './payments.repository.ts';
import { maxCounted } from './surroundings.repository.ts';
import { providerName, statusKinds, statusNames } from './words.ts';

/** Returns a payment for the list. */
export function presentRow(payment: PaymentSummary) {
  const { id, reference, status, email, prepaNom, amount, provider, createdAt } = payment;
  return {
    reference,
    email,
    prepaNom,
    href: `${basePath}/${id}`,
    status: { kind: statusKinds[status], name: statusNames[status] },
    amount: formatXaf(amount),
    provider: providerName(provider),
    at: { machine: createdAt.toISOString(), text: formatInstant(createdAt) },
  };
}

const counted = (count: number, one: string, several: string): string =>
  count > maxCounted ? `Plus de ${maxCounted} ${several}` : `${count} ${count === 1 ? one : several}`;

/** Returns the alerts as links to the matching payments; empty when there are none. */
export function presentAttention({ oldPending, inReview, partlyRefunded, overdue }: PaymentHealth): { href: string; text: string }[] {
  const links = [
    { count: inReview, href: addressOf({ etat: 'review' }), text: counted(inReview, "paiement à l'examen", "paiements à l'examen") },
    {
      count: partlyRefunded,
      href: addressOf({ alerte: 'rendus' }),
      text: counted(partlyRefunded, 'paiement remboursé en partie, à regarder', 'paiements remboursés en partie, à regarder'),
    },
    {
      count: oldPending,
      href: addressOf({ alerte: 'anciens' }),
      text: counted(oldPending, 'paiement sans issue depuis plus de 30 minutes', 'paiements sans issue depuis plus de 30 minutes'),
    },
    {
      count: overdue,
      href: addressOf({ alerte: 'retard' }),
      text: counted(overdue, 'vérification en retard de plus de 10 minutes', 'vérifications en retard de plus de 10 minutes'),
    },
  ];
  return links.filter(({ count }) => count > 0).map(({ href, text }) => ({ href, text }));
}
