import type { Node } from 'prosemirror-model';
import { questionFaults } from '../../../../shared/questions/question-fault.ts';

/** Returns a French sentence for each question of a document that cannot be asked. */
export const questionRemarks = (doc: Node): string[] =>
  questionFaults(doc).flatMap((fault, index) =>
    fault === null ? [] : [`Question ${index + 1} : ${fault}. Elle n'est pas montrée aux candidats.`],
  );
