import { Fragment, type Node } from 'prosemirror-model';
import { isProse, textOf } from '../../../../shared/rich-text/block-text.ts';
import { isLettered } from '../../../../shared/rich-text/list-labels.ts';
import { Candidates } from './candidate.ts';
import { judge, usedWays, withoutMarks } from './judge.ts';
import { readKey } from './key.ts';
import { announcesChoices, labelChain, labelOf, offersTrueFalse, saidKind } from './labels.ts';
import { linesOfDocument, Restoring } from './lines.ts';
import { isWeak, shownRight } from './marks.ts';
import { questionNode } from './question-node.ts';
import { typedStarts } from './typed-answer.ts';

export interface Recognised {
  readonly contenu: Node;
  /** The correction without the key that became answers; null when nothing else was in it. */
  readonly corrige: Node | null;
  /** Number of questions found. */
  readonly count: number;
  /** French sentences about what a teacher should check. */
  readonly remarks: readonly string[];
}

/**
 * Returns a document in which numbered questions with lettered choices or a typed answer are `question` nodes. All else stays as it was: without
 * questions, the document itself is returned.
 * @param corrige the correction, which may hold the key
 */
export function recognise(contenu: Node, corrige: Node | null): Recognised {
  const lines = linesOfDocument(contenu, (list, next) => !isLettered(list.attrs.label) && holdsQuestions(list, next));
  const found = new Candidates(lines).all();
  if (found.length === 0) return { contenu, corrige, count: 0, remarks: [] };
  const lastLine = lines[(found.findLast(({ form }) => form !== 'numbers' && form !== 'bullets')?.to ?? 0) - 1];
  const key = readKey(contenu, corrige, found, lastLine?.item?.list ?? lastLine?.block ?? null);
  const used = usedWays(found);
  const judged = found.map((candidate, index) => judge(candidate, used, key.entries.get(index)));
  const isSure = judged.some(({ sure }) => sure);
  const isQcm = lines.some(({ block, text }) => isProse(block) && announcesChoices(text));
  const accepted = judged.filter((one) => one.sure || (one.possible && (isSure || isQcm || one.candidate.start?.isWord)));
  if (accepted.length === 0) return { contenu, corrige, count: 0, remarks: [] };
  const remarks: string[] = [];
  const restoring = new Restoring();
  let at = 0;
  let said: 'one' | 'several' | null = null;
  for (const { candidate, right, shown, entry } of accepted) {
    restoring.prose(lines, at, candidate.from);
    for (const { text } of lines.slice(at, candidate.from)) said = saidKind(text) ?? said;
    const kind = saidKind(candidate.asked) ?? said;
    const name = candidate.start?.number == null ? 'Une question' : `Question ${candidate.start.number}`;
    if (kind === 'one' && right.length > 1) remarks.push(`${name} : une seule réponse est annoncée, mais plusieurs sont marquées justes.`);
    for (const way of shown) {
      const marked = shownRight(candidate.choices, way);
      if (!isWeak(way) && right.length > 0 && marked.length > 0 && marked.join() !== right.join())
        remarks.push(`${name} : la réponse écrite et la réponse mise en évidence diffèrent. La réponse écrite est gardée.`);
    }
    restoring.question(
      questionNode({ ...candidate, choices: withoutMarks(candidate, right, shown) }, right, kind, entry?.explanation ?? []),
    );
    at = candidate.to;
  }
  restoring.prose(lines, at, lines.length);
  const blocks = restoring.end();
  const withoutKey = key.remove(accepted.flatMap(({ candidate }) => [found.indexOf(candidate)]));
  if (withoutKey.isKept) remarks.push('La liste des réponses à la fin du document reste dans le texte : retirez-la avant de publier.');
  const removed = new Set(withoutKey.blocks);
  const kept = blocks.filter((block) => !removed.has(block));
  const rest: Node[] = [];
  corrige?.forEach((block) => {
    if (!removed.has(block)) rest.push(block);
  });
  return {
    contenu: contenu.copy(Fragment.fromArray(kept)),
    corrige: corrige && rest.length > 0 ? corrige.copy(Fragment.fromArray(rest)) : null,
    count: accepted.length,
    remarks: [...new Set(remarks)],
  };
}

/** Returns whether items of a numbered list may be questions: choices stand in one of them, or directly below the list. */
function holdsQuestions(list: Node, next: Node | null): boolean {
  const beginsChoices = (block: Node): boolean =>
    block.type.name === 'ordered_list'
      ? isLettered(block.attrs.label)
      : block.type.name === 'paragraph' &&
        (labelOf(textOf(block))?.index === 0 || offersTrueFalse(textOf(block)) || typedStarts(textOf(block)).length > 0);
  if (next && beginsChoices(next)) return true;
  let holds = false;
  list.forEach((item) => {
    item.forEach((block, _offset, index) => {
      if (index > 0 && (beginsChoices(block) || /_list$/.test(block.type.name))) holds = true;
      if (block.type.name === 'paragraph' && labelChain(textOf(block)).length + typedStarts(textOf(block)).length > 0) holds = true;
    });
  });
  return holds;
}
