import { isIP } from 'node:net';
import { type Check, fault, good } from '../check.ts';

/** Shortest prefix accepted for a proxy, in bits. In a wider range, too many clients could forge their address. */
const narrowest = { 4: 8, 6: 16 } as const;

export const proxy: Check = {
  name: 'Proxy (TRUST_PROXY)',
  inProduction: true,
  look({ kernel: { config } }) {
    if (!config.trustProxy) return good("aucun : une requête vient de l'adresse qui se connecte");
    const wide = config.trustProxy
      .split(',')
      .map((part) => part.trim())
      .filter((part) => {
        const [address = '', prefix] = part.split('/');
        const family = isIP(address);
        return prefix !== undefined && family !== 0 && Number(prefix) < narrowest[family as 4 | 6];
      });
    if (wide.length === 0) return good(`${config.trustProxy} peut dire d'où vient une requête`);
    return fault(
      `TRUST_PROXY comprend ${wide.join(', ')}, et de là n'importe qui choisirait l'adresse dont il vient`,
      'nommez votre proxy seul (loopback, ou son adresse)',
    );
  },
};
