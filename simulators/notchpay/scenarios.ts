import type { KnobPatch } from './knobs.ts';

/** A special behaviour of one payment, chosen by its amount or its reference. */
export interface Scenario {
  /** Shown on the payment page, in French. */
  label: string;
  knobs: KnobPatch;
}

/** Scenarios by the amount's last two digits, or by `-s` and two digits at the end of the reference. */
const SCENARIOS: Record<string, Scenario> = {
  '01': { label: 'aucune notification', knobs: { webhookTimes: 0 } },
  '02': { label: 'notification envoyée cinq fois', knobs: { webhookTimes: 5 } },
  '03': { label: 'refusé, puis payé', knobs: { approvalStory: 'failed-then-complete' } },
  '04': { label: 'payé, puis une notification en retard', knobs: { approvalStory: 'complete-then-processing' } },
  '05': { label: "signature faite avec la clé d'un autre", knobs: { webhookSignature: 'wrong-key' } },
  '06': { label: 'notification mise en page, avec accents et barres obliques', knobs: { webhookBody: 'pretty' } },
  '07': { label: "payé et notifié avant la réponse à l'ouverture", knobs: { beforeAnswer: 'complete' } },
  '08': { label: 'trois vérifications en erreur 500', knobs: { verifyFaults: [{ kind: 'http500', times: 3 }] } },
  '09': { label: 'une vérification sans réponse pendant 30 secondes', knobs: { verifyFaults: [{ kind: 'hang', times: 1 }] } },
  '10': { label: 'trois vérifications en HTML', knobs: { verifyFaults: [{ kind: 'html', times: 3 }] } },
  '11': { label: 'trois vérifications qui ne connaissent pas le paiement', knobs: { verifyFaults: [{ kind: 'http404', times: 3 }] } },
  '12': { label: 'état inconnu à la vérification', knobs: { statusWord: 'on-hold' } },
  '13': {
    label: 'trois vérifications refusées pour une minute (429)',
    knobs: { verifyFaults: [{ kind: 'http429', times: 3 }], retryAfterSeconds: 60 },
  },
  '14': {
    label: 'ancienne notification, avec la référence de Notch Pay',
    knobs: { webhookGeneration: 'event', webhookReference: 'theirs' },
  },
  '15': { label: 'expire après une minute', knobs: { expiresAfterMs: 60_000 } },
  '16': { label: 'la vérification annonce un autre montant', knobs: { tamperedAmount: 100 } },
  '17': { label: "la réponse à l'ouverture se perd", knobs: { startFaults: [{ kind: 'lost', times: 1 }] } },
  '18': { label: 'approuvé cinq minutes plus tard', knobs: { approvalDelayMs: 300_000 } },
};

/** Returns the scenario of the reference's suffix (`…-s05`), else of the amount's last two digits, else null. */
export function scenarioOf(ref: string, amount: number): Scenario | null {
  const bySuffix = SCENARIOS[/-s(\d\d)$/.exec(ref)?.[1] ?? ''];
  const chosen = bySuffix ?? SCENARIOS[String(amount).slice(-2)];
  // Verifications remove entries from the lists of faults, so each payment needs its own copy.
  return chosen ? structuredClone(chosen) : null;
}
