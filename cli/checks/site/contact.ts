import { environmentSchema } from '../../../src/platform/settings/environment.ts';
import { type Check, good, notice } from '../check.ts';

const ofExample = environmentSchema.pick({ SUPPORT_EMAIL: true, SUPPORT_PHONE: true }).parse({});

/** Checks that SUPPORT_EMAIL and SUPPORT_PHONE, which learners see, are not the example values. */
export const contact: Check = {
  name: 'Support',
  inProduction: true,
  look({ kernel: { config } }) {
    const { supportEmail, supportPhone } = config.site;
    const shown = { SUPPORT_EMAIL: supportEmail, SUPPORT_PHONE: supportPhone };
    const unset = (['SUPPORT_EMAIL', 'SUPPORT_PHONE'] as const).filter((name) => shown[name] === ofExample[name]);
    if (unset.length === 0) return good(`${supportEmail}, ${supportPhone}`);
    return notice(
      `les candidats lisent ${unset.map((name) => ofExample[name]).join(' et ')}, que personne n'a réglé`,
      `réglez ${unset.join(' et ')}`,
    );
  },
};
