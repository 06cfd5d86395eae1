/** Checks the licences of all packages that run in production or are sent to browsers, and lists them for dist/sbom. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that allow closed-source use and redistribution, with their notices. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'OFL-1.1',
  'Bitstream-Vera',
]);
/** Licences allowed for libraries that are loaded dynamically and can be replaced: libvips, which sharp loads. */
const asLibraries: Readonly<Record<string, RegExp>> = { 'LGPL-3.0-or-later': /^@img\/sharp-/ };

/** Fonts of the build: that of formulas, which browsers get, and that of labels in Windows drawings. */
const fonts = ['@fontsource/stix-two-math', 'dejavu-fonts-ttf'];
/** Packages whose package.json does not name their licence completely: Chromium of the tests beside its packaging, and a font. */
const named: Readonly<Record<string, string>> = { '@sparticuz/chromium': 'MIT AND BSD-3-Clause', 'dejavu-fonts-ttf': 'Bitstream-Vera' };

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
}

export interface Licensed {
  name: string;
  version: string;
  licence: string;
  /** Whether the package runs in production or is sent to browsers. */
  production: boolean;
}

/** Returns every production package, and the packages named above, from the lock file. */
export function licensedPackages(
  lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> },
): Licensed[] {
  return Object.entries(lock.packages).flatMap(([path, { version = '', license, dev, devOptional }]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    const isProduction = !dev && !devOptional;
    if (path === '' || !(isProduction || fonts.includes(name) || name in named)) return [];
    return [{ name, version, licence: named[name] ?? license ?? ofPackage(path), production: isProduction || fonts.includes(name) }];
  });
}

/** Returns the licence in the installed package.json, for entries of the lock file without a licence. */
function ofPackage(path: string): string {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return 'unknown';
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: string | { type: string } };
  return (typeof license === 'object' ? license.type : license) ?? 'unknown';
}

/** Evaluates an SPDX expression: every part of an AND, one part of an OR. */
function isAllowed(name: string, licence: string): boolean {
  const words = licence.replaceAll(/[()]/g, '');
  return words
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => allowed.has(part.trim()) || asLibraries[part.trim()]?.test(name)));
}

/** Returns null when every licence is allowed, otherwise the faults, one per line. */
export async function checkLicences(packages = licensedPackages()): Promise<string | null> {
  const faults = packages
    .filter(({ name, licence }) => !isAllowed(name, licence))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence} is no licence that was allowed (scripts/checks/licences.ts)`);
  return faults.join('\n') || null;
}
