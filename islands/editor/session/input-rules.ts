import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { type Plugin, TextSelection } from 'prosemirror-state';
import { isWritable, MAX_LATEX_LENGTH, MAX_LIST_START } from '../../../src/shared/rich-text/bounds.ts';
import { type ListLabel, labelWith } from '../../../src/shared/rich-text/list-labels.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';

const { nodes } = richTextSchema;

/** "# " to "###### " start a heading. */
const heading = textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, ([, signs = '#']) => ({ level: signs.length }));
const quote = wrappingInputRule(/^\s*>\s$/, nodes.blockquote);
const bullets = wrappingInputRule(/^\s*[-*]\s$/, nodes.bullet_list);
const labelOf = ([, before = '', , behind = '']: RegExpMatchArray): ListLabel => labelWith('1', before, behind);
const numbers = wrappingInputRule(
  /^(\(?)(\d{1,7})([.)])\s$/,
  nodes.ordered_list,
  (typed) => ({ order: Math.min(Number(typed[2]), MAX_LIST_START), label: labelOf(typed) }),
  // "4. " after item 3 continues its list.
  (typed, node) => node.childCount + node.attrs.order === Number(typed[2]) && node.attrs.label === labelOf(typed),
);
const code = textblockTypeInputRule(/^```([a-z+#]{0,20})\s$/, nodes.code_block, ([, language]) => ({ language: language || null }));

/** A line of exactly three dashes becomes a rule. */
const rule = new InputRule(/^---$/, (state, _match, start, end) => {
  const $start = state.doc.resolve(start);
  const { parent } = $start;
  if (parent.type !== nodes.paragraph || parent.content.size > end - start) return null;
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodes.horizontal_rule)) return null;
  const { tr } = state;
  tr.replaceWith($start.before(), $start.after(), [nodes.horizontal_rule.create(), nodes.paragraph.create()]);
  return tr.setSelection(TextSelection.create(tr.doc, $start.before() + 2));
});

/**
 * "$x^2$" becomes a formula. Amounts do not: "de 5$ à 10$" and "$5 et $10" have a digit before the first dollar or a space inside. Long
 * text must look like LaTeX.
 */
const formula = new InputRule(
  /(?:^|[^\\$\p{L}\p{N}])\$([^\s$](?:[^$\ufffc]*[^\s$\\])?)\$$/u,
  (state, [all, latex = ''], start, end) => {
    if (!isLatexLike(latex)) return null;
    const from = start + all.indexOf('$');
    if (!state.doc.resolve(from).parent.type.contentMatch.matchType(nodes.formula)) return null;
    return state.tr.replaceWith(from, end, nodes.formula.create({ latex }));
  },
  { inCodeMark: false },
);

function isLatexLike(latex: string): boolean {
  if (latex.length > MAX_LATEX_LENGTH || !isWritable(latex)) return false;
  return latex.length <= 3 || /[\\^_=+*/<>|{}()-]/.test(latex);
}

/** Replaces typed signs by formatting. Backspace right after, or undo, restores the typed text. */
export const writingRules = (): Plugin => inputRules({ rules: [heading, quote, bullets, numbers, code, rule, formula] });
