import type { PaymentProviders } from '../../../src/modules/payment/index.ts';
import { type Check, fault, good } from '../check.ts';

/** Checks that a provider is reachable and accepts requests that verify a payment. */
export const provider = (asked: PaymentProviders['default']): Check => {
  const { slug, widgetScript, addresses, referencePrefix } = asked;
  const [api] = addresses;
  return {
    name: `Prestataire de paiement ${slug}`,
    async look({ signal }) {
      const address = widgetScript ?? api;
      const { host } = new URL(address);
      const answer = await fetch(address, { signal }).catch((error: { cause?: { code?: string } }) => error.cause?.code ?? 'réseau');
      if (typeof answer === 'string')
        return fault(
          `${host} est injoignable d'ici (${answer})`,
          'vérifiez son adresse dans les réglages, et que rien ne barre la sortie de cette machine',
        );
      await answer.body?.cancel();
      // A script must respond with success. For an API, any response shows that it is reachable.
      if (address !== api && !answer.ok) return fault(`${host} répond ${answer.status}`, 'vérifiez son adresse dans les réglages');
      // This payment does not exist. A working provider says so.
      const said = await asked.verify({
        reference: `${referencePrefix}DOCTOR0`,
        amount: 100,
        currency: 'XAF',
        providerTransactionId: null,
      });
      if (said.kind !== 'unknown') return good(`${host} répond`);
      return said.keyRefused
        ? fault(`${host} refuse notre clé`, 'recopiez-la du tableau de bord du prestataire')
        : fault(
            `${host} ne vérifie pas de paiement (${said.cause})`,
            "vérifiez son adresse dans les réglages, ou attendez qu'il aille mieux",
          );
    },
  };
};
