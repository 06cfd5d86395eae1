import type { KeptItem } from '../../../shared/offline/offline-copy.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { asRead, itemAsRead } from '../../../shared/rich-text/as-read.ts';

/** Returns an item with its texts, and the remarks and explanations of its questions, as readers get them. */
export const keptAsRead = (item: KeptItem): KeptItem => ({ ...itemAsRead(item), ...(item.keys && { keys: item.keys.map(keyAsRead) }) });

const keyAsRead = (key: QuestionKey): QuestionKey => ({
  ...key,
  remarks: Object.fromEntries(Object.entries(key.remarks).map(([choice, remark]) => [choice, asRead(remark)])),
  explanation: key.explanation === null ? null : asRead(key.explanation),
});
