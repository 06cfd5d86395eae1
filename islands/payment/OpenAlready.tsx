import type { Prepa } from './checkout-contract.ts';

/** Tells learners before a payment that they already have access. The loader shows it (`data-needs`) until React has hydrated it. */
export function OpenAlready({ prepa }: { prepa: Prepa | null }) {
  return (
    <p className="payment__open" data-needs="acces" hidden={!prepa?.acces} suppressHydrationWarning>
      Vous y avez déjà accès jusqu'au{' '}
      <span data-fill="acces" suppressHydrationWarning>
        {prepa?.acces ?? ''}
      </span>{' '}
      : un paiement ajoute 30 jours. {prepa?.acces && <a href={`/user/prepa/${prepa.id}`}>Continuer</a>}
    </p>
  );
}
