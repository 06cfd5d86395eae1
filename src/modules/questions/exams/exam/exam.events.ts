// Makes this file a module: what it declares below is merged into the platform's interface.
import type {} from '../../../../platform/use-cases/events.ts';
import type { ExamAudience, QuestionStanding } from '../../../../shared/exams/exam-words.ts';

declare module '../../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted once per exam, in the transaction that announces it. */
    'exam.announced': AnnouncedExam;
    /** Emitted when an announced exam gets another opening or closing, in the transaction that changes it. */
    'exam.moved': AnnouncedExam & {
      closesAt: Date;
      /** Whether the opening is another one; otherwise only the closing is. */
      isPostponed: boolean;
    };
    /** Emitted once per exam, in the transaction that publishes its results. */
    'exam.published': PublishedExam;
    /** Emitted by each correction after the publication, in the transaction that marks the exam again. */
    'exam.remarked': PublishedExam & { correctionId: number; position: number; standing: QuestionStanding };
  }
}

interface AnnouncedExam {
  examId: number;
  prepaId: number;
  prepaNom: string;
  titre: string;
  opensAt: Date;
  audience: ExamAudience;
  at: Date;
}

interface PublishedExam {
  examId: number;
  prepaId: number;
  titre: string;
  at: Date;
}
