import { type PaymentEvent, type PaymentState, reducePayment } from './payment-state.ts';

/** Holds the payment's state and its listeners. */
export function createPaymentStore(initial: PaymentState) {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    dispatch(event: PaymentEvent): void {
      const next = reducePayment(state, event);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
