// Makes this file a module: what it declares below is merged into the platform's interface.
import type {} from '../../../../platform/use-cases/events.ts';
import type { ExamAudience } from '../../../../shared/exams/exam-words.ts';

declare module '../../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted once per exam, in the transaction that announces it. */
    'exam.announced': {
      examId: number;
      prepaId: number;
      prepaNom: string;
      titre: string;
      opensAt: Date;
      audience: ExamAudience;
      at: Date;
    };
    /** Emitted once per exam, in the transaction that publishes its results. */
    'exam.published': PublishedExam;
    /** Emitted by each correction after the publication, in the transaction that marks the exam again. */
    'exam.remarked': PublishedExam & { correctionId: number };
  }
}

interface PublishedExam {
  examId: number;
  prepaId: number;
  titre: string;
  at: Date;
}
