import type { Prepa } from './checkout-contract.ts';

/** Tells learners before a payment that they already have access. `linked`: with a link to the prepa. The loader shows it (`data-needs`) until React has hydrated it. */
export function OpenAlready({ prepa, linked }: { prepa: Prepa | null; linked: boolean }) {
  return (
    <p className="payment__open" data-needs="acces" hidden={!prepa?.acces} suppressHydrationWarning>
      Vous y avez déjà accès jusqu'au{' '}
      <span data-fill="acces" suppressHydrationWarning>
        {prepa?.acces ?? ''}
      </span>{' '}
      : un paiement ajoute 30 jours. {linked && prepa?.acces && <a href={`/user/prepa/${prepa.id}`}>Continuer</a>}
    </p>
  );
}
