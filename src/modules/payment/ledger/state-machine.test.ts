import t from 'tap';
import type { Verification } from '../contract/provider.ts';
import type { PaymentStatus } from './payment.entity.ts';
import { canMove, mayDecide, nextStatus, settlementStatus } from './state-machine.ts';

/** One row per state: the next state for each answer. '=' keeps the state. */
const table: [PaymentStatus, Record<Verification['kind'], PaymentStatus | '='>][] = [
  row('created', 'succeeded', 'failed', 'cancelled', 'expired', 'review', 'review', 'pending'),
  row('pending', 'succeeded', 'failed', 'cancelled', 'expired', 'review', 'review', '='),
  row('failed', 'succeeded', '=', '=', '=', '=', 'review', '='),
  row('cancelled', 'succeeded', '=', '=', '=', '=', 'review', '='),
  row('expired', 'succeeded', '=', '=', '=', '=', 'review', '='),
  row('review', 'succeeded', '=', '=', '=', '=', '=', '='),
  row('succeeded', '=', '=', '=', '=', 'refunded', '=', '='),
  row('refunded', '=', '=', '=', '=', '=', '=', '='),
];

type Cell = PaymentStatus | '=';
function row(
  from: PaymentStatus,
  succeeded: Cell,
  failed: Cell,
  cancelled: Cell,
  expired: Cell,
  refunded: Cell,
  mismatch: Cell,
  pending: Cell,
) {
  const answers = {
    succeeded,
    failed,
    cancelled,
    expired,
    refunded,
    mismatch,
    pending,
    incomplete: pending,
    sandbox: mismatch,
    partly_refunded: succeeded,
    not_found: '=',
    unknown: '=',
  };
  return [from, answers] as [PaymentStatus, Record<Verification['kind'], Cell>];
}

t.test('the next state for each state and answer', async (t) => {
  for (const [from, answers] of table) {
    for (const [kind, cell] of Object.entries(answers) as [Verification['kind'], Cell][]) {
      t.equal(nextStatus(from, kind), cell === '=' ? from : cell, `${from} + ${kind}`);
    }
  }
});

t.test('succeeded can only become refunded, and refunded is final', async (t) => {
  for (const [to] of table) {
    t.equal(canMove('succeeded', to), to === 'refunded', `succeeded → ${to}`);
    t.equal(canMove('refunded', to), false, `refunded → ${to}`);
  }
});

t.test('decisions allowed to an operator', async (t) => {
  const from = (to: PaymentStatus) => table.map(([status]) => status).filter((status) => mayDecide(status, to));
  t.strictSame(from('refunded'), ['review', 'succeeded']);
  t.strictSame(from('review'), ['created', 'pending', 'failed', 'cancelled', 'expired']);
  t.strictSame(from('failed'), ['review']);
  t.strictSame(from('succeeded'), [], 'no operator can open a payment that no provider has confirmed');
});

t.test('the status shown to the learner', async (t) => {
  const told = Object.fromEntries(table.map(([status]) => [status, settlementStatus(status)]));
  t.strictSame(told, {
    created: 'pending',
    pending: 'pending',
    review: 'pending',
    succeeded: 'success',
    failed: 'failed',
    cancelled: 'failed',
    expired: 'failed',
    refunded: 'failed',
  });
});
