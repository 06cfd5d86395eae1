import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from './named-statement.ts';

const stored = namedStatement<{ secret: Buffer }>({ name: 'platform.site-secret', text: 'select secret from site_secret where name = $1' });

/**
 * What the site signs with for one use: 32 random bytes that are made once, and are the same in every process. Read once by each; whoever deletes the row and
 * starts the processes anew ends all that was signed with it.
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
  // Of several processes the first one's counts.
  await em.fork().execute('insert into site_secret (name, secret) values (?, ?) on conflict do nothing', [name, randomBytes(32)]);
  const [made] = await stored(em, [name]);
  if (!made) throw new Error(`no secret ${name}`);
  return made.secret;
}
