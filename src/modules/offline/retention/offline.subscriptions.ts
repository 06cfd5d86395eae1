import type { EntityManager } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { shownTitle } from '../../content/index.ts';
import { endDevices } from '../devices/device.repository.ts';

/** Ends devices with their sessions; exports and erases a learner's devices, copies and entries. */
export function subscribe(events: DomainEvents): void {
  events.on('sessions.ended', (tx, { sessions, ending }) => endDevices(tx, sessions, ending));
  events.on('learner.erasing', async (tx, { userId }) => {
    await tx.execute('delete from offline_device where user_id = ?', [userId]);
    await tx.execute('delete from offline_entry where user_id = ?', [userId]);
  });
  events.on('learner.exporting', exportOffline);
}

/** Exports a learner's devices, copies and entries, without the devices' secrets and sessions. */
async function exportOffline(tx: EntityManager, { userId, add }: DomainEventMap['learner.exporting']): Promise<void> {
  add(
    'offline_device',
    await readJsonRows(tx, 'select id, nom, seen_at, ended, removed_at, created_at from offline_device where user_id = ? order by id', [
      userId,
    ]),
  );
  add(
    'offline_copy',
    await readJsonRows(
      tx,
      `select c.device_id, c.prepa_id, p.nom, c.disciplines, c.kept_at from offline_copy c join offline_device d on d.id = c.device_id
       join prepa p on p.id = c.prepa_id where d.user_id = ? order by c.device_id, c.prepa_id`,
      [userId],
    ),
  );
  add(
    'offline_entry',
    await readJsonRows(
      tx,
      `select t.item_id, ${shownTitle('i')} as titre, t.type, t.at, t.taken_at from offline_entry t join item i on i.id = t.item_id where t.user_id = ? order by t.at, t.cle`,
      [userId],
    ),
  );
}
