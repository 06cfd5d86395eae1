/** What the licences of all that production runs, or that browsers are sent, must be; and their list, for dist/sbom. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** May be run and handed on by a house that keeps its own source to itself, with their notices. */
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
/** The same, as libraries that are loaded and can be replaced: libvips, which sharp loads. */
const asLibraries: Readonly<Record<string, RegExp>> = { 'LGPL-3.0-or-later': /^@img\/sharp-/ };

/** The font of formulas, which the build takes into what browsers are sent. */
const sent = '@fontsource/stix-two-math';
/** What runs in tests alone, and is listed because a checkout's node_modules has it, with what its package says too little of: Chromium beside its packing; a font. */
const ofTests: Readonly<Record<string, string>> = { '@sparticuz/chromium': 'MIT AND BSD-3-Clause', 'dejavu-fonts-ttf': 'Bitstream-Vera' };

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
  /** What is meant to run in production, or reaches browsers. */
  production: boolean;
}

/** Every package of production, and those named above, from the lock file. */
export function licensedPackages(
  lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> },
): Licensed[] {
  return Object.entries(lock.packages).flatMap(([path, { version = '', license, dev, devOptional }]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    const isProduction = !dev && !devOptional;
    if (path === '' || !(isProduction || name === sent || name in ofTests)) return [];
    return [{ name, version, licence: ofTests[name] ?? license ?? ofPackage(path), production: isProduction || name === sent }];
  });
}

/** What the package says of itself, where the lock file says nothing. */
function ofPackage(path: string): string {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return 'unknown';
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: string | { type: string } };
  return (typeof license === 'object' ? license.type : license) ?? 'unknown';
}

/** SPDX: each part of an AND, one part of an OR. */
function isAllowed(name: string, licence: string): boolean {
  const words = licence.replaceAll(/[()]/g, '');
  return words
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => allowed.has(part.trim()) || asLibraries[part.trim()]?.test(name)));
}

/** Null when every licence is one that was thought about. */
export async function checkLicences(packages = licensedPackages()): Promise<string | null> {
  const faults = packages
    .filter(({ name, licence }) => !isAllowed(name, licence))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence} is no licence that was allowed (scripts/checks/licences.ts)`);
  return faults.join('\n') || null;
}
