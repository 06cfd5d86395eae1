import { refuseReadOnly } from '../../../src/platform/database/read-only.ts';
import { type Check, fault, good } from '../check.ts';

export const database: Check = {
  name: 'Base de données',
  async look({ kernel: { orm } }) {
    const [row] = await orm.em
      .getConnection()
      .execute<{ version: string; standby: boolean }[]>(
        "select current_setting('server_version') as version, pg_is_in_recovery() as standby",
      );
    if (row?.standby)
      return fault('serveur de secours, en lecture seule', 'menez DATABASE_URL au serveur principal, ou promouvez celui-ci');
    try {
      await refuseReadOnly(orm);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '25006')
        return fault(
          'en lecture seule',
          'retirez default_transaction_read_only (alter database … reset default_transaction_read_only, ou alter role)',
        );
      // Missing tables are reported by the check of the migrations.
      if (code !== '42P01') throw error;
    }
    return good(`PostgreSQL ${row?.version}`);
  },
};
