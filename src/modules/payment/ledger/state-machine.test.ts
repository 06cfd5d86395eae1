import t from 'tap';
import type { Verification } from '../contract/provider.ts';
import type { PaymentStatus } from './payment.entity.ts';
import { canMove, mayDecide, nextStatus, settlementStatus } from './state-machine.ts';

/** One row a state: what each answer makes of it. '=' leaves it as it is. */
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

t.test('what each answer makes of each state', async (t) => {
  for (const [from, answers] of table) {
    for (const [kind, cell] of Object.entries(answers) as [Verification['kind'], Cell][]) {
      t.equal(nextStatus(from, kind), cell === '=' ? from : cell, `${from} + ${kind}`);
    }
  }
});

t.test('succeeded leaves only to refunded, and refunded to nothing', async (t) => {
  for (const [to] of table) {
    t.equal(canMove('succeeded', to), to === 'refunded', `succeeded → ${to}`);
    t.equal(canMove('refunded', to), false, `refunded → ${to}`);
  }
});

t.test('what an operator may decide', async (t) => {
  const from = (to: PaymentStatus) => table.map(([status]) => status).filter((status) => mayDecide(status, to));
  t.strictSame(from('refunded'), ['review', 'succeeded']);
  t.strictSame(from('review'), ['created', 'pending', 'failed', 'cancelled', 'expired']);
  t.strictSame(from('failed'), ['review']);
  t.strictSame(from('succeeded'), [], 'nobody opens by hand what no provider has confirmed');
});

t.test('what the learner is told', async (t) => {
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
