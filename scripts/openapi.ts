/**
 * `make openapi`: writes the API description, generated from the routes' schemas, to docs/openapi.json. With --check it only compares.
 * Needs no database.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { describeApi } from './checks/describe-api.ts';

const file = 'docs/openapi.json';
const path = join(projectRoot, file);
const description = await describeApi();
if (!process.argv.includes('--check')) {
  writeFileSync(path, description);
  console.log(file);
} else if (readFileSync(path, 'utf8') !== description) {
  console.log(`${file} differs from the routes: run \`make openapi\`.`);
  process.exitCode = 1;
}
