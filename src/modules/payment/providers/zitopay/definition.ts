import type { ProviderDefinition } from '../../contract/provider.definition.ts';
import { zitopayAdapter } from './adapter.ts';
import { type ZitopaySettings, zitopaySettings } from './settings.ts';

export const zitopay: ProviderDefinition<ZitopaySettings> = {
  name: 'ZitoPay',
  returnFields: ['ref'],
  settings: zitopaySettings,
  secrets: ['ZITOPAY_RECEIVER'],
  production: {
    required: ['ZITOPAY_RECEIVER'],
    addresses: ['ZITOPAY_BASE_URL', 'ZITOPAY_SCRIPT_URL'],
    drawn: {},
    published: { ZITOPAY_RECEIVER: /^demo$/ },
  },
  isComplete: ({ receiver }) => receiver !== '',
  adapter: zitopayAdapter,
};
