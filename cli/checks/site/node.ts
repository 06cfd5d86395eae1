import { type Check, fault, good, notice } from '../check.ts';

/** The major version that the site is built and tested with, as in package.json. */
const triedWith = 24;
/** Older major versions no longer get security fixes. */
const oldest = 22;

export const node: Check = {
  name: 'Node.js',
  look() {
    const major = Number.parseInt(process.version.slice(1), 10);
    const detail = `${process.version}, alors que le site est essayé avec Node ${triedWith}`;
    const remedy = `installez Node ${triedWith}, puis redémarrez le serveur`;
    if (major < oldest) return fault(detail, remedy);
    return major < triedWith ? notice(detail, remedy) : good(process.version);
  },
};
