import { isPrivateHost } from '../../../src/platform/settings/production-settings.ts';
import { type Check, fault, good } from '../check.ts';

/** Fails for a public site outside production mode: it would run with test keys, demonstration accounts and known secrets. */
export const environment: Check = {
  name: 'Environnement',
  look({ kernel: { config } }) {
    const { environment, publicUrl, host } = config;
    if (environment === 'production') return good('production');
    const isPublic = publicUrl !== null && !isPrivateHost(new URL(publicUrl).hostname);
    const listensToAll = !/^(localhost|127\..*|::1)$/.test(host);
    if (!isPublic && !listensToAll) return good(`${environment}, sur cette machine`);
    const why = isPublic ? `PUBLIC_URL est ${publicUrl}` : `HOST est ${host}`;
    return fault(
      `NODE_ENV vaut ${environment} alors que ${why}, et rien de ce que la production refuse n'est refusé`,
      'réglez NODE_ENV=production',
    );
  },
};
