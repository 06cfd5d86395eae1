import { lastPassAt, paymentHealth } from '../../../src/modules/payment/index.ts';
import { formatInstant } from '../../../src/shared/dates.ts';
import { type Check, fault, good } from '../check.ts';

export const overduePayments: Check = {
  name: 'Paiements en attente',
  async look({ kernel: { fork, clock } }) {
    const { overdue: late, oldPending, inReview, partlyRefunded } = await paymentHealth(fork(), clock.now());
    if (late > 0) return fault(`${late} vérification(s) en retard`, '« prepa payments reconcile »');
    return good(
      `aucune vérification en retard, ${oldPending} paiement(s) sans issue depuis plus de 30 minutes, ${inReview} à l'examen, ${partlyRefunded} remboursé(s) en partie à regarder`,
    );
  },
};

const minute = 60_000;

/** Checks that payments are reconciled (by the server, `--watch` or cron). Allows for long passes and long intervals. */
export const reconciliation: Check = {
  name: 'Rapprochement des paiements',
  async look({ kernel: { fork, clock, config } }) {
    const oldAfter = Math.max(10 * minute, 3 * config.reconcile.everySeconds * 1000);
    const last = await lastPassAt(fork());
    const remedy = 'laissez RECONCILE_PAYMENTS=on au serveur, ou lancez « prepa payments reconcile »';
    if (!last) return fault('aucun passage encore', remedy);
    if (clock.now().getTime() - last.getTime() > oldAfter) return fault(`le dernier passage date du ${formatInstant(last)}`, remedy);
    return good(`dernier passage le ${formatInstant(last)}`);
  },
};
