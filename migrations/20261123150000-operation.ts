import { Migration } from '@mikro-orm/migrations';

/** When each task of the timers last came to its end, and what operators have told all processes, or these have to tell operators. */
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
