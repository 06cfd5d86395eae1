import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Exam } from '../../questions/index.ts';

/** When an exam's candidates are reminded: in the evening before at their hour, and one hour before the opening. */
const reminderKinds = ['eve', 'hour'] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** A reminder of a mock exam that was queued. An exam that is moved is announced again, as its opening is a part of the key. */
export const ExamReminder = defineEntity({
  name: 'ExamReminder',
  tableName: 'exam_reminder',
  properties: {
    exam: () => p.manyToOne(Exam).mapToPk().primary().deleteRule('cascade'),
    kind: p.enum([...reminderKinds]).primary(),
    opensAt: p.datetime().primary(),
  },
});
export type ExamReminder = InferEntity<typeof ExamReminder>;
