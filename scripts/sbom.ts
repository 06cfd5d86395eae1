/**
 * `make sbom`: writes production's components to dist/sbom: CycloneDX and SPDX from npm, and licences.csv, which also lists the font sent
 * to browsers and the tests' browser.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { checkLicences, licensedPackages } from './checks/licences.ts';

process.chdir(projectRoot);
const folder = join('dist', 'sbom');
mkdirSync(folder, { recursive: true });
for (const format of ['cyclonedx', 'spdx']) {
  const text = execFileSync('npm', ['sbom', '--package-lock-only', '--omit=dev', `--sbom-format=${format}`, '--sbom-type=application'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 28,
  });
  writeFileSync(join(folder, `${format}.json`), text);
}
const packages = licensedPackages();
const rows = packages.map(
  ({ name, version, licence, production }) => `${name},${version},"${licence}",${production ? 'production' : 'tests'}`,
);
writeFileSync(join(folder, 'licences.csv'), ['package,version,licence,for', ...rows, ''].join('\n'));
const fault = await checkLicences(packages);
console.log(fault ?? `${folder}: cyclonedx.json, spdx.json, licences.csv (${packages.length} packages)`);
process.exitCode = fault === null ? 0 : 1;
