import { Migration } from '@mikro-orm/migrations';

/** Mock exams: papers, sittings, batches of answers and results (decision 136). */
export class MockExams extends Migration {
  override name = '20261129000000-mock-exams';

  override up(): void {
    this.addSql(`
      create table exam (
        id serial primary key,
        prepa_id int not null constraint exam_prepa_id_foreign references prepa (id) on delete cascade,
        titre varchar(100) not null,
        consignes varchar(4000) not null default '',
        opens_at timestamptz not null,
        closes_at timestamptz not null,
        duree smallint not null,
        grace smallint not null default 30,
        bareme jsonb not null,
        audience text not null constraint exam_audience_check check (audience in ('enrolled', 'learners')),
        announced_at timestamptz null,
        marked_at timestamptz null,
        published_at timestamptz null,
        revision int not null default 1
      );`);
    this.addSql(`create index exam_prepa_index on exam (prepa_id);`);
    this.addSql(`create index exam_opening_index on exam (opens_at);`);
    this.addSql(`create index exam_closing_index on exam (closes_at) where announced_at is not null;`);
    this.addSql(`
      create table exam_paper (
        id serial primary key,
        exam_id int not null constraint exam_paper_exam_id_foreign references exam (id) on delete cascade,
        position smallint not null,
        source_id int not null,
        kind text not null constraint exam_paper_kind_check check (kind in ('quiz', 'pastExam')),
        titre varchar(200) not null,
        discipline varchar(100) not null,
        contenu text null,
        corrige text null,
        constraint exam_paper_position_unique unique (exam_id, position) deferrable initially deferred
      );`);
    this.addSql(`
      create table exam_question (
        exam_id int not null constraint exam_question_exam_id_foreign references exam (id) on delete cascade,
        question_id varchar(12) not null,
        paper_id int not null constraint exam_question_paper_id_foreign references exam_paper (id) on delete cascade,
        position smallint not null,
        points numeric(5, 2) not null,
        key jsonb not null,
        standing text not null default 'counted' constraint exam_question_standing_check check (standing in ('counted', 'neutralised', 'given')),
        primary key (exam_id, question_id)
      );`);
    this.addSql(`create index exam_question_paper_index on exam_question (paper_id);`);
    this.addSql(`
      create table exam_seal (
        exam_id int primary key constraint exam_seal_exam_id_foreign references exam (id) on delete cascade,
        key bytea not null,
        sealed bytea not null
      );`);
    this.addSql(`
      create table exam_correction (
        id serial primary key,
        exam_id int not null constraint exam_correction_exam_id_foreign references exam (id) on delete cascade,
        question_id varchar(12) not null,
        standing text not null constraint exam_correction_standing_check check (standing in ('counted', 'neutralised', 'given')),
        reason varchar(500) not null,
        corrected_at timestamptz not null
      );`);
    this.addSql(`create index exam_correction_exam_index on exam_correction (exam_id);`);
    this.addSql(`
      create table exam_sitting (
        exam_id int not null constraint exam_sitting_exam_id_foreign references exam (id) on delete cascade,
        user_id uuid not null constraint exam_sitting_user_id_foreign references app_user (id) on delete cascade,
        started_at timestamptz not null,
        ends_at timestamptz not null,
        handed_in_at timestamptz null,
        ending text null constraint exam_sitting_ending_check check (ending in ('candidate', 'time', 'site')),
        receipt varchar(9) null,
        late text null constraint exam_sitting_late_check check (late in ('waiting', 'accepted', 'refused')),
        late_until timestamptz null,
        pseudonym varchar(30) null,
        primary key (exam_id, user_id)
      );`);
    this.addSql(`create index exam_sitting_user_index on exam_sitting (user_id);`);
    this.addSql(`
      create table exam_batch (
        exam_id int not null constraint exam_batch_exam_id_foreign references exam (id) on delete cascade,
        user_id uuid not null constraint exam_batch_user_id_foreign references app_user (id) on delete cascade,
        device uuid not null,
        number int not null,
        sent_at timestamptz not null,
        received_at timestamptz not null,
        answers jsonb not null,
        network varchar(16) not null,
        primary key (exam_id, user_id, device, number)
      );`);
    this.addSql(`create index exam_batch_user_index on exam_batch (user_id);`);
    this.addSql(`
      create table exam_judgement (
        exam_id int not null constraint exam_judgement_exam_id_foreign references exam (id) on delete cascade,
        question_id varchar(12) not null,
        given jsonb not null,
        is_right boolean not null,
        primary key (exam_id, question_id, given)
      );`);
    this.addSql(`
      create table exam_result (
        exam_id int not null constraint exam_result_exam_id_foreign references exam (id) on delete cascade,
        user_id uuid not null constraint exam_result_user_id_foreign references app_user (id) on delete cascade,
        answers jsonb not null,
        points numeric(12, 2) not null,
        rights smallint not null,
        wrongs smallint not null,
        blanks smallint not null,
        rank int not null,
        by_paper jsonb not null,
        primary key (exam_id, user_id)
      );`);
    this.addSql(`create index exam_result_rank_index on exam_result (exam_id, rank);`);
    this.addSql(`create index exam_result_user_index on exam_result (user_id);`);
    this.addSql(`
      create table exam_self_mark (
        paper_id int not null constraint exam_self_mark_paper_id_foreign references exam_paper (id) on delete cascade,
        user_id uuid not null constraint exam_self_mark_user_id_foreign references app_user (id) on delete cascade,
        points numeric(5, 2) not null,
        marked_at timestamptz not null,
        primary key (paper_id, user_id)
      );`);
    this.addSql(`create index exam_self_mark_user_index on exam_self_mark (user_id);`);
    this.addSql(`
      create table exam_reminder (
        exam_id int not null constraint exam_reminder_exam_id_foreign references exam (id) on delete cascade,
        kind text not null constraint exam_reminder_kind_check check (kind in ('eve', 'hour')),
        opens_at timestamptz not null,
        primary key (exam_id, kind, opens_at)
      );`);
  }

  override down(): void {
    const tables = ['reminder', 'self_mark', 'result', 'judgement', 'batch', 'sitting', 'correction', 'seal', 'question', 'paper'];
    for (const table of tables) this.addSql(`drop table exam_${table};`);
    this.addSql(`drop table exam;`);
  }
}
