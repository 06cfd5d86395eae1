import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/** What a stranger writes in the place of prepa.example. */
export const siteName = 'candidats.example';
/** Where the site finds ZitoPay, unless its settings say otherwise. */
export const providerName = 'zitopay.africa';
export const authorityName = 'acme.example';

/** Addresses that stand for the wide world (RFC 5737), in two networks of this machine: none leads any further. */
export const addresses: Readonly<Record<string, string>> = {
  [siteName]: '203.0.113.10',
  [providerName]: '203.0.113.20',
  [authorityName]: '203.0.113.30',
};
/** Who is on the other side of nginx. */
export const candidateAddress = '203.0.113.100';
export const dnsPort = 8053;
export const authorityPort = 14_000;
export const authorityManagementPort = 15_000;
export const mailPort = 2525;

export const folder = join(projectRoot, '.cache/fresh-debian');
/** What both the root and the world outside it read. */
export const sharedFolder = join(folder, 'shared');
