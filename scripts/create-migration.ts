import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../src/modules.ts';
import { ormOptions } from '../src/platform/database/open-database.ts';

// Writes migrations/<timestamp>-<purpose>.ts from the difference between the entities and the committed snapshot, offline.
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
console.log(fileName ? `migrations/${fileName}: add it to src/migrations.ts` : 'nothing to do');
