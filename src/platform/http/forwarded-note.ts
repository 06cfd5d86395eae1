import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../database/named-statement.ts';

/**
 * Records for `prepa doctor` that X-Forwarded-For came from an address outside TRUST_PROXY. Called once per process, at its first such
 * request.
 */
export async function noteForwarded(em: EntityManager, trustProxy: string): Promise<void> {
  await em.execute(
    `insert into site_state (name, value, at) values ('forwarded', ?, now()) on conflict (name) do update set value = excluded.value, at = excluded.at`,
    [JSON.stringify({ trustProxy })],
  );
}

const noted = namedStatement<{ at: Date }>({
  name: 'platform.forwarded',
  text: `select at from site_state where name = 'forwarded' and value->>'trustProxy' = $1`,
});

/** Returns when a process with this TRUST_PROXY last recorded such a request; null if none has since the setting changed. */
export const forwardedNotedAt = async (em: EntityManager, trustProxy: string): Promise<Date | null> =>
  (await noted(em, [trustProxy]))[0]?.at ?? null;
