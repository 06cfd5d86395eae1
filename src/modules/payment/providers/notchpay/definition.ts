import type { ProviderDefinition } from '../../contract/provider.definition.ts';
import { notchpayAdapter } from './adapter.ts';
import { type NotchpaySettings, notchpaySettings } from './settings.ts';

export const notchpay: ProviderDefinition<NotchpaySettings> = {
  name: 'Notch Pay',
  returnFields: ['reference', 'trxref', 'notchpay_trxref'],
  settings: notchpaySettings,
  secrets: ['NOTCHPAY_PUBLIC_KEY', 'NOTCHPAY_HASH_KEY'],
  production: {
    required: ['NOTCHPAY_PUBLIC_KEY', 'NOTCHPAY_HASH_KEY'],
    addresses: ['NOTCHPAY_BASE_URL', 'NOTCHPAY_CHECKOUT_ORIGIN'],
    // A key's prefix proves nothing: it differs between the provider's pages. Test keys are recognised by their payments.
    drawn: { NOTCHPAY_HASH_KEY: (key) => key },
    published: { NOTCHPAY_PUBLIC_KEY: /^pk_test_(sim|xxx)$/, NOTCHPAY_HASH_KEY: /^hsk_test_sim$/ },
  },
  isComplete: ({ publicKey }) => publicKey !== null,
  adapter: notchpayAdapter,
};
