import { Migration } from '@mikro-orm/migrations';

/** Questions of a trial's short diagnostic (decision 120). The check of `answer.context` knows its answers since the daily sessions. */
export class Diagnostic extends Migration {
  override name = '20261128140000-diagnostic';

  override up(): void {
    this.addSql(`
      create table diagnostic_question (
        discipline_id int not null constraint diagnostic_question_discipline_id_foreign references discipline (id) on delete cascade,
        question_id varchar(12) not null constraint diagnostic_question_question_id_foreign references question (id) on delete cascade,
        position int not null,
        primary key (discipline_id, question_id)
      );`);
    this.addSql(`create index diagnostic_question_question_index on diagnostic_question (question_id);`);
  }

  override down(): void {
    this.addSql(`drop table diagnostic_question;`);
  }
}
