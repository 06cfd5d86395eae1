import type { Controls } from './control.ts';

const images = 'src/modules/content/items/images';
const routes = `${images}/picture.routes.ts`;
const test = `${images}/picture.routes.test.ts`;

/** Pictures of paid texts, how many items one opens, and the administration's own host. */
export const pictureControls: Controls = {
  'picture-signatures': {
    file: `${images}/picture-address.ts`,
    from: 'return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(...said)));',
    to: 'return signature.length > 0 || timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(...said)));',
    test,
    title: 'signatures that are not ours count for nothing',
  },
  'picture-addresses-end': {
    file: routes,
    from: "address.audience !== 'libre' && address.end > now.getTime() ? address : null",
    to: "address.audience !== 'libre' ? address : null",
    test,
    title: 'after its end an address is asked for anew, and its page has a fresh one',
  },
  'picture-passes-end': {
    file: routes,
    from: 'const isCovered = pass && pass.end > now.getTime() &&',
    to: 'const isCovered = pass &&',
    test,
    title: 'a pass ends after an hour, and with the access that it stands for',
  },
  'picture-passes-of-the-prepa': {
    file: routes,
    from: 'pass.prepas.includes(Number(mine.audience))',
    to: 'pass.prepas.length > 0',
    test,
    title: 'from another account: whoever may read it too, nobody else',
  },
  'items-opened': {
    file: 'src/modules/content/items/reads-limit.ts',
    from: 'this.#limit.take(learnerId, what, now);',
    to: 'this.#limit.take(learnerId, what.slice(0, 0), now);',
    test: 'src/modules/content/items/reads-limit.test.ts',
    title: 'each way counts, and all of them together',
  },
  'administration-host': {
    file: 'src/platform/http/administration-host.ts',
    from: "if (side === 'both' || (side === 'administration') === here) return;",
    to: "if (side === 'both' || (side === 'administration') === here || side) return;",
    test: 'src/platform/http/administration-host.test.ts',
    title: 'each page stands on its host, and the other one leads there',
  },
};
