import type { Controls } from './control.ts';

const images = 'src/modules/content/items/images';
const routes = `${images}/picture.routes.ts`;
const test = `${images}/picture.routes.test.ts`;

/** Signed addresses of pictures in paid texts, the limit on opened items, and the separate host of the administration. */
export const pictureControls: Controls = {
  'picture-signatures': {
    file: `${images}/picture-address.ts`,
    from: 'return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(...said)));',
    to: 'return signature.length > 0 || timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(...said)));',
    test,
    title: 'invalid signatures are ignored',
  },
  'picture-addresses-end': {
    file: routes,
    from: "address.audience !== 'libre' && address.end > now.getTime() ? address : null",
    to: "address.audience !== 'libre' ? address : null",
    test,
    title: 'access is checked again for an expired address, and a newly loaded page has a new address',
  },
  'picture-passes-end': {
    file: routes,
    from: 'const isCovered = pass && pass.end > now.getTime() &&',
    to: 'const isCovered = pass &&',
    test,
    title: 'a pass ends after an hour, or earlier when the access ends',
  },
  'picture-passes-of-the-prepa': {
    file: routes,
    from: 'pass.prepas.includes(Number(mine.audience))',
    to: 'pass.prepas.length > 0',
    test,
    title: 'a signed address from another account works only for readers with access of their own',
  },
  'items-opened': {
    file: 'src/modules/content/items/reads-limit.ts',
    from: 'this.#limit.take(learnerId, what, now);',
    to: 'this.#limit.take(learnerId, what.slice(0, 0), now);',
    test: 'src/modules/content/items/reads-limit.test.ts',
    title: 'every route counts towards one common limit',
  },
  'administration-host': {
    file: 'src/platform/http/administration-host.ts',
    from: "if (side === 'both' || (side === 'administration') === here) return;",
    to: "if (side === 'both' || (side === 'administration') === here || side) return;",
    test: 'src/platform/http/administration-host.test.ts',
    title: 'each page is served on its host, and the other host redirects to it',
  },
};
