import { formatDate, formatInstant } from '../../../shared/dates.ts';
import { formatXaf } from '../../../shared/money.ts';
import { actorName, answerName, decisionNames, noteName, providerName, sourceNames, statusKinds, statusNames } from '../payments/words.ts';
import { type AccessStory, type DayChange, maxChanges } from './access.repository.ts';
import { accessNow, sentenceOf } from './sentence.ts';
import { maxEvents, maxNotifications, type PaymentStory, type StoryEvent, type StoryNotification } from './story.repository.ts';

/** An entry of a payment's history, in French, for the page and the command line. */
export interface StoryEntry {
  at: Date;
  title: string;
  /** The cause; null when the title contains it. */
  who: string | null;
  /** One line of details. */
  note: string | null;
  /** Longer texts with their names: the provider's answer, a notification's body and headers. */
  texts: { name: string; text: string }[];
  badge: { kind: 'success' | 'warning' | 'error' | 'info'; name: string } | null;
}

/** @param signs whether this provider signs its notifications, so that unsigned ones are ignored */
export function presentStory(payment: PaymentStory, access: AccessStory | null, { signs, now }: { signs: boolean; now: Date }) {
  const entries: StoryEntry[] = [
    ...payment.events.map((event) => presentEvent(event, payment.amount)),
    ...payment.notifications.map((notification) => presentNotification(notification, signs)),
    ...(access?.changes ?? []).filter(({ paymentId }) => paymentId === payment.id).map(presentOwnDays),
  ];
  return {
    sentence: sentenceOf(payment, access, now),
    // A stable sort: entries of one instant keep the order of cause and effect.
    entries: entries.toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    /** Notes on parts that are not shown entirely. */
    cut: [
      ...(payment.events.length < maxEvents ? [] : [`Les ${maxEvents} événements les plus récents sont affichés.`]),
      ...(payment.notifications.length < maxNotifications
        ? []
        : [`Les ${maxNotifications} notifications les plus récentes sont affichées.`]),
      ...((access?.changes ?? []).length < maxChanges ? [] : [`Les ${maxChanges} changements de jours les plus récents sont affichés.`]),
    ],
    /** The provider's id of the payment came in an unsigned notification, and the provider itself has not confirmed it. */
    idUnverified: !signs && !isIdTold(payment),
    access: accessNow(access, now),
    days: (access?.changes ?? []).map((change) => presentDays(change, payment.id)),
  };
}

/** Returns whether the provider has confirmed its id of this payment, in an answer to our check or in a signed notification. */
function isIdTold({ providerTransactionId: id, events, notifications }: PaymentStory): boolean {
  if (id === null) return true;
  const answers = events.filter(({ type }) => type === 'verification').map(({ detail }) => JSON.stringify(detail?.answer ?? null));
  return answers.some((answer) => answer.includes(JSON.stringify(id))) || notifications.some(({ signed }) => signed);
}

const plain = { who: null, note: null, texts: [], badge: null } as const;

function presentEvent({ type, actor, operator, fromStatus, toStatus, returned, detail, at }: StoryEvent, price: number): StoryEntry {
  const base = { ...plain, at, who: actorName(actor, operator), texts: [] };
  const badge = toStatus === null ? null : { kind: statusKinds[toStatus], name: statusNames[toStatus] };
  if (type === 'created')
    return { ...base, title: 'Paiement commencé', note: typeof detail?.amount === 'number' ? formatXaf(detail.amount) : null };
  if (type === 'verification') {
    const reason = detail?.reason ?? detail?.cause;
    return {
      ...base,
      title: `Réponse du prestataire : ${answerName(detail?.kind)}`,
      note: typeof reason === 'string' ? reason : null,
      texts: detail?.answer === undefined ? [] : [{ name: 'Réponse complète', text: JSON.stringify(detail.answer, null, 2) }],
    };
  }
  const change = fromStatus === null || toStatus === null ? null : `${statusNames[fromStatus]} → ${statusNames[toStatus]}`;
  // When the full price was refunded at once, the title says so.
  const back = returned === null || returned === price ? null : `${formatXaf(returned)} rendus`;
  if (type === 'refund') return { ...base, title: 'Remboursement partiel', note: back };
  if (type === 'decision') {
    const reason = String(detail?.reason ?? '');
    return { ...base, badge, title: `Décision : ${decisionOf(toStatus, returned)}`, note: [back, reason].filter(Boolean).join(' ; ') };
  }
  const note = typeof detail?.note === 'string' ? noteName(detail.note) : back;
  return { ...base, title: change === null ? type : `État : ${change}`, note };
}

function decisionOf(to: StoryEvent['toStatus'], returned: number | null): string {
  if (to === 'refunded') return decisionNames.refund;
  if (to === 'succeeded') return returned === null ? decisionNames.acknowledge : 'Remboursement partiel enregistré';
  return to === 'review' ? decisionNames.review : to === 'failed' ? decisionNames.close : String(to);
}

function presentNotification(notification: StoryNotification, signs: boolean): StoryEntry {
  const { signed, body, bodyLength, headers, contentType, receivedAt, processedAt } = notification;
  const forged = signs && !signed;
  const followed = forged ? "elle n'est pas suivie" : processedAt ? `suivie le ${formatInstant(processedAt)}` : 'encore à suivre';
  const signature = signed ? 'signature valide' : signs ? 'signature refusée' : 'sans signature, comme toutes celles de ce prestataire';
  return {
    ...plain,
    at: receivedAt,
    title: 'Notification du prestataire',
    note: `${signature} ; ${followed}`,
    badge: forged ? { kind: 'error', name: 'Contrefaite' } : signed ? { kind: 'success', name: 'Signée' } : null,
    texts: [
      { name: `Contenu (${contentType || 'type inconnu'}, ${bodyLength} octets)`, text: body || '(vide)' },
      {
        name: 'En-têtes',
        text:
          Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n') || '(aucun)',
      },
    ],
  };
}

/** Returns the entry of a change of days that this payment caused. */
function presentOwnDays({ days, source, operator, reason, expiresAfter, createdAt }: DayChange): StoryEntry {
  return {
    ...plain,
    at: createdAt,
    texts: [],
    title: `${signedDays(days)} (${sourceNames[source]})`,
    who: operator === null ? null : actorName('operator', operator),
    note: [reason, `accès jusqu'au ${formatDate(expiresAfter)}`].filter(Boolean).join(' ; '),
  };
}

function presentDays({ days, source, operator, reason, paymentId, expiresBefore, expiresAfter, createdAt }: DayChange, ownId: number) {
  return {
    at: createdAt,
    days: signedDays(days),
    source: sourceNames[source],
    /** Whether this payment caused the change; otherwise `paymentId` names another one. */
    own: paymentId === ownId,
    paymentId: paymentId === ownId ? null : paymentId,
    operator: operator === null ? null : actorName('operator', operator),
    reason,
    before: expiresBefore === null ? null : formatDate(expiresBefore),
    after: formatDate(expiresAfter),
  };
}

const signedDays = (days: number): string =>
  `${days > 0 ? '+' : days < 0 ? '−' : ''}${Math.abs(days)} jour${Math.abs(days) > 1 ? 's' : ''}`;

const providerIdName = 'Identifiant chez le prestataire';
const unverifiedId =
  "non vérifié. Une notification sans signature l'a donné, et le prestataire ne l'a pas confirmé : il aide à retrouver le paiement, et ne prouve rien.";

/** Returns the payment's facts as names and values; an unverified fact is marked. */
export function presentFacts(payment: PaymentStory, { idUnverified }: { idUnverified: boolean }) {
  const { username, email, prepaNom, amount, provider, method, providerTransactionId, payerPhoneLast, createdAt, settledAt } = payment;
  const facts: [string, string | null][] = [
    ['Candidat', `${username} (${email})`],
    ['Préparation', payment.prepaId === null ? `${prepaNom} (supprimée)` : prepaNom],
    ['Montant', formatXaf(amount)],
    ['Déjà rendu', payment.refundedAmount > 0 && payment.refundedAmount < amount ? formatXaf(payment.refundedAmount) : null],
    ['Prestataire', method && method !== provider ? `${providerName(provider)} (${method})` : providerName(provider)],
    ['Frais du prestataire', payment.providerFee === null ? null : formatXaf(payment.providerFee)],
    ['Débité au candidat', payment.amountCharged === null ? null : formatXaf(payment.amountCharged)],
    [providerIdName, providerTransactionId],
    ['Téléphone payeur', payerPhoneLast && `…${payerPhoneLast}`],
    ['Commencé le', formatInstant(createdAt)],
    ['Payé le', settledAt && formatInstant(settledAt)],
    ['Terminé chez le prestataire le', payment.completedAt && formatInstant(payment.completedAt)],
    ['Vérifications', String(payment.checks)],
    ['Prochaine vérification', payment.nextCheckAt && formatInstant(payment.nextCheckAt)],
  ];
  const doubtOf = (name: string) => (idUnverified && name === providerIdName ? unverifiedId : null);
  return facts.flatMap(([name, value]) => (value ? [{ name, value, doubt: doubtOf(name) }] : []));
}
