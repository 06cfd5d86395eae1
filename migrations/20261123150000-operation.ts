import { Migration } from '@mikro-orm/migrations';

/** The last end of each scheduled task, and shared states: the maintenance mode, and notes of servers for operators. */
export class Operation extends Migration {
  override name = '20261123150000-operation';

  override up(): void {
    this.addSql(`create table task_run (name varchar(30) constraint task_run_pkey primary key, finished_at timestamptz not null);`);
    this.addSql(
      `create table site_state (name varchar(30) constraint site_state_pkey primary key, value jsonb not null, at timestamptz not null);`,
    );
  }

  override down(): void {
    this.addSql(`drop table site_state;`);
    this.addSql(`drop table task_run;`);
  }
}
