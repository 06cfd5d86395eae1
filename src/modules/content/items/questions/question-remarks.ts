import type { Node } from 'prosemirror-model';
import { questionFaults } from '../../../../shared/questions/question-fault.ts';
import { hiddenQuestion } from '../../../../shared/rich-text/remark-forms.ts';

/** Returns a French sentence for each question of a document that cannot be asked. */
export const questionRemarks = (doc: Node): string[] =>
  questionFaults(doc).flatMap((fault, index) => (fault === null ? [] : [`Question ${index + 1} : ${fault}. ${hiddenQuestion}`]));
