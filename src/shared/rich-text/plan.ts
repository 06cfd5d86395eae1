/** A plan needs at least so many parts. */
const fewestParts = 3;
const heading = /<h([1-6])((?: [^>]*)?)>(.*?)<\/h\1>/gs;
/** Parts of a heading that a link cannot hold. */
const unlinkable = /<\/?a\b[^>]*>|<(?:br|img)\b[^>]*>/g;

/** A part of a text that its plan names. */
interface PlanPart {
  /** Id of the heading's element in the text with its plan. */
  id: string;
  /** HTML of the heading that a link can hold. */
  label: string;
  /** Index of the heading in the text. */
  from: number;
}

/** Returns the parts of a text: its headings of the highest level that has at least `fewestParts` of them; none without such a level. */
export function planParts(html: string): PlanPart[] {
  const headings = [...html.matchAll(heading)];
  const level = ['1', '2', '3', '4', '5', '6'].find((level) => headings.filter(([, other]) => other === level).length >= fewestParts);
  return headings
    .map(({ 1: of, 3: content = '', index }) => ({ of, label: content.replaceAll(unlinkable, '').trim(), from: index }))
    .filter(({ of, label }) => of === level && label !== '')
    .map(({ label, from }, index) => ({ id: `partie-${index + 1}`, label, from }));
}

/**
 * Returns a text with its plan at the top: links to its parts. A text without parts is returned unchanged. On narrow screens a `details`
 * opens the plan (study.css).
 */
export function withPlan(html: string): string {
  const parts = planParts(html);
  if (!parts[0]) return html;
  const links = parts.map(({ id, label }) => `<li><a href="#${id}">${label}</a></li>`);
  const text = parts.reduceRight((whole, { id, from }) => `${whole.slice(0, from + 3)} id="${id}"${whole.slice(from + 3)}`, html);
  return `<details class="plan__toggle"><summary>Plan (${parts.length} parties)</summary></details><nav class="plan" aria-label="Plan"><ol>${links.join('')}</ol></nav>${text}`;
}
