import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../src/modules.ts';
import { ormOptions } from '../src/platform/database/open-database.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';

// Writes migrations/<timestamp>-<purpose>.ts from the difference between the entities and the committed snapshot, offline, and adds it to
// the list.
const purpose = process.argv[2];
if (!purpose || !/^[a-z0-9-]+$/.test(purpose)) {
  console.error('usage: npm run migration -- purpose-in-words');
  process.exit(1);
}
const options = ormOptions({ url: 'postgresql://offline@127.0.0.1/offline', entities });
const orm = await MikroORM.init({
  ...options,

  migrations: {
    ...options.migrations,
    migrationsList: undefined,
    snapshot: true,
    fileName: (timestamp: string, name?: string) => `${timestamp}-${name}`,
  },
} as never);
const { fileName } = await orm.migrator.create(undefined, false, false, purpose);
await orm.close(true);
if (fileName) writeFileSync(join(projectRoot, 'migrations/list.ts'), listOf(globSync(join(projectRoot, 'migrations/2*.ts')).sort()));
console.log(fileName ? `migrations/${fileName}` : 'nothing to do');

/** Returns the source of a module that lists these migrations, oldest first. */
function listOf(files: string[]): string {
  const migrations = files.map((file) => ({
    name: basename(file, '.ts'),
    className: /export class (\w+)/.exec(readFileSync(file, 'utf8'))?.[1],
  }));
  return [
    '// Written by `npm run migration`.',
    "import type { MigrationObject } from '@mikro-orm/postgresql';",
    ...migrations.map(({ name, className }) => `import { ${className} } from './${name}.ts';`),
    '',
    '/** Every migration, oldest first: named here, since a bundle has no folder to look into. */',
    'export const migrationList: MigrationObject[] = [',
    ...migrations.map(({ name, className }) => `  { name: '${name}', class: ${className} },`),
    '];',
    '',
  ].join('\n');
}
