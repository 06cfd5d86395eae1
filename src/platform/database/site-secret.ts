import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from './named-statement.ts';

const stored = namedStatement<{ secret: Buffer }>({ name: 'platform.site-secret', text: 'select secret from site_secret where name = $1' });

/**
 * Returns a reader of the site's signing secret for one purpose: 32 random bytes, created once, the same in every process, and read once by
 * each. Deleting the row and restarting the processes invalidates everything signed with the secret.
 */
export function siteSecret(name: string): (em: EntityManager) => Promise<Buffer> {
  let kept: Promise<Buffer> | undefined;
  return (em) => {
    kept ??= readOrMake(em, name).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

async function readOrMake(em: EntityManager, name: string): Promise<Buffer> {
  const [found] = await stored(em, [name]);
  if (found) return found.secret;
  // If several processes insert at once, the first row counts.
  await em.fork().execute('insert into site_secret (name, secret) values (?, ?) on conflict do nothing', [name, randomBytes(32)]);
  const [made] = await stored(em, [name]);
  if (!made) throw new Error(`no secret ${name}`);
  return made.secret;
}
