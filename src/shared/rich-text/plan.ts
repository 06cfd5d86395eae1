/** A plan needs at least so many parts. */
const fewestParts = 3;
const heading = /<h([1-6])((?: [^>]*)?)>(.*?)<\/h\1>/gs;
/** Parts of a heading that a link cannot hold. */
const unlinkable = /<\/?a\b[^>]*>|<(?:br|img)\b[^>]*>/g;

/**
 * Returns a text with its plan at the top: links to the headings of the highest level that has at least `fewestParts` of them. A text
 * without such a level is returned unchanged. On narrow screens a `details` opens the plan (study.css).
 */
export function withPlan(html: string): string {
  const levels = Array.from(html.matchAll(heading), ([, level]) => level);
  const level = ['1', '2', '3', '4', '5', '6'].find((level) => levels.filter((other) => other === level).length >= fewestParts);
  if (!level) return html;
  const links: string[] = [];
  const text = html.replaceAll(heading, (whole, of: string, attributes: string, content: string) => {
    const label = content.replaceAll(unlinkable, '').trim();
    if (of !== level || label === '') return whole;
    const id = `partie-${links.length + 1}`;
    links.push(`<li><a href="#${id}">${label}</a></li>`);
    return `<h${of} id="${id}"${attributes}>${content}</h${of}>`;
  });
  return `<details class="plan__toggle"><summary>Plan (${links.length} parties)</summary></details><nav class="plan" aria-label="Plan"><ol>${links.join('')}</ol></nav>${text}`;
}
