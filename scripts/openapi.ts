/**
 * `make openapi`: writes the API's description, generated from the routes' schemas, to docs/openapi.json. With --check it only compares. Needs no
 * database.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from './describe-api.ts';
import { root } from './root.ts';

const file = 'docs/openapi.json';
const path = join(root, file);
const description = await describeApi();
if (!process.argv.includes('--check')) {
  writeFileSync(path, description);
  console.log(file);
} else if (readFileSync(path, 'utf8') !== description) {
  console.log(`${file} differs from the routes: run \`make openapi\`.`);
  process.exitCode = 1;
}
