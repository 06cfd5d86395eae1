import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { FileStores } from '../files/storage.ts';
import { refused } from './backup-errors.ts';

/** Interval and limit of waiting for other connections to end, in ms: PostgreSQL ends a session shortly after its client has gone. */
const pauseMs = 100;
const timeoutMs = 2_000;

/** @throws AppError while another client is connected: a server would see its tables vanish and return */
export async function requireAlone(client: pg.Client): Promise<void> {
  for (let waited = 0; ; waited += pauseMs) {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         -- Hidden where it is another role's session, which an owner who is no superuser must see too; PostgreSQL's own have no role.
         and coalesce(backend_type, 'client backend') = 'client backend' and usesysid is not null`,
    );
    const others = rows[0]?.others ?? 0;
    if (others === 0) return;
    if (waited >= timeoutMs)
      throw refused(
        `${others} connexion(s) sont ouvertes sur cette base de données : arrêtez d'abord les serveurs, et le pooler s'il y en a un. Rien n'a été changé.`,
      );
    await sleep(pauseMs);
  }
}

/** @throws AppError if the database, or a store of files to restore, is not empty */
export async function requireEmpty(client: pg.Client, stores: FileStores, media: boolean): Promise<void> {
  const { rows } = await client.query<{ tables: number }>(
    `select count(*)::int as tables from pg_class where relkind in ('r', 'p', 'v', 'm', 'S') and relnamespace = current_schema()::regnamespace
     and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`,
  );
  if ((rows[0]?.tables ?? 0) > 0)
    throw refused(
      "Cette base de données n'est pas vide : restaurez dans une base vide, ou remplacez celle-ci avec --overwrite. Rien n'a été changé.",
    );
  if (!media) return;
  const { place, media: pictures, documents } = stores;
  if ((await pictures.isEmpty()) && (await documents.isEmpty())) return;
  const setting = 'folder' in pictures.source ? 'DATA_DIR' : 'S3_BUCKET, ou donnez-lui un S3_PREFIX à lui';
  throw refused(
    `${place.replace(/^l/, 'L')} contient déjà des fichiers : choisissez-en un autre avec ${setting}, ou gardez-les avec --overwrite. Rien n'a été changé.`,
  );
}

/** Drops and re-creates the current schema with everything in it. */
export async function clearSchema(client: pg.Client): Promise<void> {
  await client.query(`do $$ declare name text := current_schema(); begin
    execute format('drop schema %I cascade', name);
    execute format('create schema %I', name);
  end $$`);
}
