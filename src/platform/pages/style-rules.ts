import { type AtRule, type Container, type Rule as PostcssRule, parse } from 'postcss';

/**
 * Of a style sheet, as the build writes it, the rules that a page's HTML has elements for. Written in the sheet's own order and layers, so that the whole
 * sheet may follow later and changes nothing that is seen: each rule comes again, in the same order.
 */

/** What a part of a selector list asks for outside its brackets: all of these have to occur in a page. */
interface Selector {
  text: string;
  classes: string[];
  elements: string[];
}

interface Rule {
  /** `@layer …`, `@media …` around it, the outermost first. */
  within: string[];
  /** Of an at-rule none, which is kept for every page. */
  selectors: Selector[] | null;
  /** The whole at-rule, or what follows the selectors. */
  text: string;
  /** The name of keyframes, kept with what is animated by them. */
  keyframes: string | null;
  /** Names of what it is animated by, and of the custom properties that it reads. */
  mentions: string[];
}

/** Names of elements and classes that occur in a text. */
export interface Names {
  classes: Set<string>;
  elements: Set<string>;
}

/** What nobody sees before scripts run, or somebody asks the server for it open. */
const closedDialogs = /<dialog(?![^>]*\sopen\b)[^>]*>[\s\S]*?<\/dialog>/g;

/** Names in our own HTML, whose attributes stand in double quotes. */
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

/** The rules of a style sheet. @throws CssSyntaxError */
export const readRules = (css: string): Rule[] => rulesIn(parse(css), []);

function rulesIn(container: Container, within: string[]): Rule[] {
  return (container.nodes ?? []).flatMap((node) => {
    if (node.type === 'rule') {
      const { selectors, nodes } = node as PostcssRule;
      return [
        { within, selectors: selectors.map(readSelector), text: `{${nodes.join(';')}}`, keyframes: null, mentions: mentionsIn(node) },
      ];
    }
    if (node.type !== 'atrule') return [];
    const { name, params, raws, nodes } = node as AtRule;
    if (nodes && /^(layer|media|supports)$/.test(name)) return rulesIn(node as AtRule, [...within, `@${name}${raws.afterName}${params}`]);
    // A font is fetched after the text, with the whole sheet.
    if (name === 'font-face') return [];
    const keyframes = /keyframes$/.test(name) ? params : null;
    return [{ within, selectors: null, text: nodes ? String(node) : `${node};`, keyframes, mentions: mentionsIn(node) }];
  });
}

function mentionsIn(container: Container): string[] {
  const names: string[] = [];
  container.walkDecls(({ prop, value }) => {
    for (const [, name = ''] of value.matchAll(/var\((--[\w-]+)/g)) names.push(name);
    if (/animation(-name)?$/.test(prop)) names.push(...value.split(/[\s,]+/));
  });
  return names;
}

function readSelector(text: string): Selector {
  // An escaped name is rare enough to be kept whatever the page holds.
  if (text.includes('\\')) return { text, classes: [], elements: [] };
  let bare = text.replaceAll(/\[[^\]]*\]/g, '');
  while (/\([^()]*\)/.test(bare)) bare = bare.replaceAll(/\([^()]*\)/g, '');
  const classes = [...bare.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);
  const elements = [...bare.replaceAll(/::?[\w-]+|[.#][\w-]+/g, ' ').matchAll(/[a-z][a-z\d]*/g)].map(([name]) => name);
  return { text, classes, elements };
}

/** The rules for a page in which these names occur, as a style sheet; of the root's custom properties those that one of them reads. */
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
  const needed = kept.filter(({ rule }) => rule.keyframes === null || mentioned.has(rule.keyframes));
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
