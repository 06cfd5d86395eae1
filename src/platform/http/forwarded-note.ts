import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../database/named-statement.ts';

/** Writes down that X-Forwarded-For came from somebody whom this setting does not name: once for each process, so at its first such request. */
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

/** When a process with this setting last met such a request; null: none has, or the setting has changed since. */
export const forwardedNotedAt = async (em: EntityManager, trustProxy: string): Promise<Date | null> =>
  (await noted(em, [trustProxy]))[0]?.at ?? null;
