import { type AtRule, type Container, type Rule as PostcssRule, parse } from 'postcss';

/**
 * Selects the rules of a built style sheet that match a page's HTML. They keep the sheet's order and layers. When the whole sheet is loaded
 * later, each rule comes again in the same order, so nothing changes visibly.
 */

/** One selector of a rule; all names in it, outside brackets, must occur in the page. */
interface Selector {
  text: string;
  classes: string[];
  elements: string[];
}

interface Rule {
  /** Enclosing `@layer …`, `@media …`, outermost first. */
  within: string[];
  /** Null for an at-rule, which is kept for every page. */
  selectors: Selector[] | null;
  /** The complete at-rule, or the declarations of a rule. */
  text: string;
  /** Name of `@keyframes` or `@counter-style`, which are kept only if a kept rule uses them. */
  name: string | null;
  /** Names of the animations, counter styles and custom properties that the rule uses. */
  mentions: string[];
}

/** Element and class names in an HTML text. */
export interface Names {
  classes: Set<string>;
  elements: Set<string>;
}

/** Closed dialogs are invisible until a script opens them, or the server sends them open. */
const closedDialogs = /<dialog(?![^>]*\sopen\b)[^>]*>[\s\S]*?<\/dialog>/g;

/** Returns the names in our own HTML, in which all attributes have double quotes. */
export function namesIn(html: string): Names {
  const names: Names = { classes: new Set(), elements: new Set() };
  for (const [, element, list] of html.replace(closedDialogs, '').matchAll(/<([a-z][a-z\d]*)|\sclass="([^"]*)"/g)) {
    if (element !== undefined) names.elements.add(element);
    else for (const name of list?.split(/\s+/) ?? []) names.classes.add(name);
  }
  return names;
}

export const joined = (some: Names, others: Names): Names => ({
  classes: new Set([...some.classes, ...others.classes]),
  elements: new Set([...some.elements, ...others.elements]),
});

/** Returns the rules of a style sheet. @throws CssSyntaxError */
export const readRules = (css: string): Rule[] => rulesIn(parse(css), []);

function rulesIn(container: Container, within: string[]): Rule[] {
  return (container.nodes ?? []).flatMap((node) => {
    if (node.type === 'rule') {
      const { selectors, nodes } = node as PostcssRule;
      return [{ within, selectors: selectors.map(readSelector), text: `{${nodes.join(';')}}`, name: null, mentions: mentionsIn(node) }];
    }
    if (node.type !== 'atrule') return [];
    const { name, params, raws, nodes } = node as AtRule;
    if (nodes && /^(layer|media|supports)$/.test(name)) return rulesIn(node as AtRule, [...within, `@${name}${raws.afterName}${params}`]);
    // Fonts load later, with the whole sheet.
    if (name === 'font-face') return [];
    const own = /(?:keyframes|counter-style)$/.test(name) ? params : null;
    return [{ within, selectors: null, text: nodes ? String(node) : `${node};`, name: own, mentions: mentionsIn(node) }];
  });
}

function mentionsIn(container: Container): string[] {
  const names: string[] = [];
  container.walkDecls(({ prop, value }) => {
    for (const [, name = ''] of value.matchAll(/var\((--[\w-]+)/g)) names.push(name);
    if (/(?:animation|list-style)/.test(prop)) names.push(...value.split(/[\s,]+/));
  });
  return names;
}

function readSelector(text: string): Selector {
  let bare = text.replaceAll(/\[[^\]]*\]/g, '');
  // Rules with escaped names are rare, so they are always kept.
  if (bare.includes('\\')) return { text, classes: [], elements: [] };
  while (/\([^()]*\)/.test(bare)) bare = bare.replaceAll(/\([^()]*\)/g, '');
  const classes = [...bare.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);
  const elements = [...bare.replaceAll(/::?[\w-]+|[.#][\w-]+/g, ' ').matchAll(/[a-z][a-z\d]*/g)].map(([name]) => name);
  return { text, classes, elements };
}

/** Returns the rules that match a page with these names, as CSS, and the custom properties of :root that these rules read. */
export function usedRules(rules: readonly Rule[], { classes, elements }: Names): string {
  const occurs = (selector: Selector) =>
    selector.classes.every((name) => classes.has(name)) && selector.elements.every((name) => elements.has(name));
  const kept: { rule: Rule; text: string }[] = [];
  const mentioned = new Set<string>();
  for (const rule of rules) {
    const selectors = rule.selectors?.filter(occurs) ?? null;
    if (selectors?.length === 0) continue;
    kept.push({ rule, text: `${selectors?.map(({ text }) => text).join(',') ?? ''}${rule.text}` });
    for (const name of rule.mentions) mentioned.add(name);
  }
  const needed = kept.filter(({ rule }) => rule.name === null || mentioned.has(rule.name));
  return write(
    needed.map(({ rule, text }) => ({
      rule,
      text: text.startsWith(':root{')
        ? text.replaceAll(/(?<=[{;])(--[\w-]+):[^;}]*;?/g, (all, name) => (mentioned.has(name) ? all : ''))
        : text,
    })),
  );
}

function write(kept: readonly { rule: Rule; text: string }[]): string {
  let css = '';
  let open: string[] = [];
  for (const { rule, text } of kept) {
    const shared = open.findIndex((prelude, level) => prelude !== rule.within[level]);
    const level = shared < 0 ? open.length : shared;
    css += '}'.repeat(open.length - level);
    for (const prelude of rule.within.slice(level)) css += `${prelude}{`;
    open = rule.within;
    css += text;
  }
  return css + '}'.repeat(open.length);
}
