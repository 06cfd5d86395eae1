import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** Number of learners counted at once. */
const batch = 1000;

/** Counts earlier marks by discipline, a batch of learners at a time. A mark written meanwhile waits for one batch at most. */
export class ProgressOfBefore extends OnlineMigration {
  override name = '20261124090100-progress-of-before';

  override async up(): Promise<void> {
    let last: string | undefined = '00000000-0000-0000-0000-000000000000';
    while (last) {
      const from: string = last;
      const people = (await this.execute(`select id from app_user where id > '${from}' order by id limit ${batch}`)) as { id: string }[];
      last = people.at(-1)?.id;
      if (last) await this.execute(`select recount_progress(array(select id from app_user where id > '${from}' and id <= '${last}'))`);
    }
  }

  override down(): void {
    this.addSql(`truncate discipline_progress;`);
  }
}
