import type { Attempt, CheckoutRequest } from '../../src/modules/payment/contract/provider.ts';
import type { NotchpaySettings } from '../../src/modules/payment/providers/notchpay/settings.ts';

/** Requests and settings for the tests of Notch Pay's adapter. */

export const ours = 'NP1768471200000a1b2c3d4';
export const attempt: Attempt = { reference: ours, amount: 5000, currency: 'XAF', providerTransactionId: null };
export const request: CheckoutRequest = {
  reference: ours,
  amount: 5000,
  currency: 'XAF',
  note: 'Inscription 30 jours - Prépa ENAM',
  payer: { email: 'eleve@gmail.com' },
  urls: { notification: 'https://site.example/n', success: 'https://site.example/success', cancel: 'https://site.example/cancel' },
};
export const settings: NotchpaySettings & { hashKey: string } = {
  publicKey: 'pk_test_sim',
  hashKey: 'hsk_test_sim',
  baseUrl: 'https://api.example',
  checkoutOrigin: 'https://pay.example',
  signatureHeader: 'x-notch-signature',
  signatureAlgorithm: 'sha256',
  acceptsSandbox: true,
  timeoutMs: 10_000,
};
