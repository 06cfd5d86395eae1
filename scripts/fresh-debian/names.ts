import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

/** The domain used in place of prepa.example. */
export const siteName = 'candidats.example';
/** The default address of ZitoPay in the settings. */
export const providerName = 'zitopay.africa';
export const authorityName = 'acme.example';

/**
 * Documentation addresses (RFC 5737) that stand for the Internet, in two network namespaces of this machine without access to real
 * networks.
 */
export const addresses: Readonly<Record<string, string>> = {
  [siteName]: '203.0.113.10',
  [providerName]: '203.0.113.20',
  [authorityName]: '203.0.113.30',
};
/** Address of the client that nginx sees. */
export const candidateAddress = '203.0.113.100';
export const dnsPort = 8053;
export const authorityPort = 14_000;
export const authorityManagementPort = 15_000;
export const mailPort = 2525;

export const folder = join(projectRoot, '.cache/fresh-debian');
/** Folder that both the root and the programs outside it read. */
export const sharedFolder = join(folder, 'shared');
