import t from 'tap';
import { addressAfterPayment, initialPayment, type PaymentEvent, type PaymentState, reducePayment } from './payment-state.ts';
import { pauseBeforeCheck } from './status-checks.ts';

const after = (events: PaymentEvent[], state: PaymentState = initialPayment('loading')) => events.reduce(reducePayment, state);
const kinds: PaymentEvent['type'][] = ['paying', 'checking', 'pending', 'left', 'left-for-good', 'script-loaded', 'script-failed'];

t.test('the button waits for the provider script', async (t) => {
  t.equal(after([{ type: 'opened', loading: true }]).step, 'loading');
  t.equal(after([{ type: 'opened', loading: true }, { type: 'script-loaded' }]).step, 'idle');
  const failed = after([{ type: 'opened', loading: true }, { type: 'script-failed' }]);
  t.match(failed, { step: 'idle', fullPage: true, notice: { kind: 'error', message: 'Erreur de chargement du système de paiement' } });
  t.match(
    after([{ type: 'opened', loading: true }], failed),
    { step: 'loading', fullPage: false, notice: null },
    'opening the dialog again retries',
  );
});

t.test('each step shows the learner the next action', async (t) => {
  const idle = after([{ type: 'opened', loading: false }]);
  const processing = after([{ type: 'paying' }], idle);
  t.match(processing, { step: 'processing', notice: { kind: 'info', message: 'Validez le paiement sur votre téléphone.' } });
  t.match(after([{ type: 'refused', message: 'Paiement échoué ou annulé' }], processing), { step: 'idle', notice: { kind: 'error' } });
  const waiting = (adds: boolean) => after([{ type: 'pending', adds }], processing);
  t.match(waiting(false), { step: 'pending', notice: { kind: 'info', message: /l'accès s'ouvrira dès sa confirmation/ } });
  t.match(waiting(true), { step: 'pending', notice: { kind: 'info', message: /30 jours s'ajouteront à votre accès dès sa confirmation/ } });
  t.match(after([{ type: 'succeeded' }], processing), { step: 'success', notice: { kind: 'success', message: 'Paiement réussi !' } });
  t.match(
    after([{ type: 'unchecked', message: "Erreur lors de l'activation de l'inscription" }], processing),
    { step: 'pending', notice: { kind: 'error' } },
    'a learner who may have paid is not asked to pay again',
  );
});

t.test('a closed window warns only while nothing else has happened', async (t) => {
  const left = after([{ type: 'opened', loading: false }, { type: 'paying' }, { type: 'left' }]);
  t.match(left, { step: 'idle', notice: null });
  const warned = after([{ type: 'left-for-good' }], left);
  t.match(warned.notice, { kind: 'warning', message: 'Si vous avez déjà payé, votre paiement sera traité automatiquement.' });
  t.equal(after([{ type: 'paying' }, { type: 'left-for-good' }], left).step, 'processing');
  const refused = after([{ type: 'refused', message: 'Paiement échoué ou annulé' }], left);
  t.equal(after([{ type: 'left-for-good' }], refused), refused);
  t.equal(after([{ type: 'succeeded' }], warned).step, 'success', 'a late approval still counts');
});

t.test('a second click and late responses change nothing', async (t) => {
  const processing = after([{ type: 'opened', loading: false }, { type: 'paying' }]);
  t.equal(after([{ type: 'paying' }], processing), processing);
  t.equal(after([{ type: 'script-loaded' }], processing), processing);
  const success = after([{ type: 'succeeded' }], processing);
  for (const type of kinds) t.equal(after([{ type } as PaymentEvent], success), success, `the event ${type} does not change a success`);
  t.equal(after([{ type: 'refused', message: 'x' }], success), success);
  t.equal(after([{ type: 'unchecked', message: 'x' }], success), success);
});

t.test('automatic checks run every few seconds, with growing pauses, for some minutes', async (t) => {
  const pauses: number[] = [];
  for (let pause = pauseBeforeCheck(0); pause !== null; pause = pauseBeforeCheck(pauses.length)) pauses.push(pause);
  t.ok((pauses[0] ?? 0) <= 5000);
  t.same(
    [...pauses].sort((a, b) => a - b),
    pauses,
  );
  const minutes = pauses.reduce((sum, pause) => sum + pause, 0) / 60_000;
  t.ok(minutes > 2 && minutes < 10, `${minutes} min`);
});

t.test('after a payment the next address has no payment parameter, and a trial leads to the full prepa', async (t) => {
  t.equal(addressAfterPayment('/user/dashboard', '?paiement=3'), '/user/dashboard');
  t.equal(addressAfterPayment('/user/prepa/consultation/3', ''), '/user/prepa/3');
  t.equal(addressAfterPayment('/user/prepa/consultation/3/7', '?lecon=12'), '/user/prepa/3/7?lecon=12');
});
