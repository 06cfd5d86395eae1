import t from 'tap';
import { joined, namesIn, readRules, usedRules } from './style-rules.ts';

/** Returns the rules of a style sheet that a page needs. */
const used = (css: string, html: string): string => usedRules(readRules(css), namesIn(html));

t.test('keeps rules with a matching selector, in their layer and order', async (t) => {
  const css =
    '@layer base,pages;@layer base{p,.lead,table{margin:0}.absent{color:red}}@media (width<768px){@layer pages{.lead p{gap:1px}a{gap:2px}}}p{gap:3px}';
  t.equal(
    used(css, '<p class="lead big">a<b>c</b></p>'),
    '@layer base,pages;@layer base{p,.lead{margin:0}}@media (width<768px){@layer pages{.lead p{gap:1px}}}p{gap:3px}',
  );
  t.equal(used('.a .b{gap:0}.a{gap:1px}', '<p class="b">'), '');
});

t.test('ignores brackets, states and attributes of selectors, and so may keep unneeded rules', async (t) => {
  for (const rule of [
    'p:is(.absent,h1){gap:0}',
    'p:not(.absent):hover{gap:0}',
    'p:has(> .absent[open]){gap:0}',
    '[aria-busy=true] p::before{content:"}{;,.absent"}',
    '#titre *{gap:0}',
    '.w-1\\/2{gap:0}',
    'p:nth-child(2n+1)>*+*{gap:0}',
    '@page{margin:0}',
    '@supports (display:grid){p{gap:0}}',
  ])
    t.equal(used(rule, '<p id="titre">'), rule);
});

t.test('keeps only used keyframes and custom properties of :root, and leaves fonts to the complete sheet', async (t) => {
  const css =
    ':root{--a:1px;--b:var(--a);--c:red;color:var(--b)}@font-face{src:url(a.woff2)}@keyframes rise{to{opacity:0}}.toast{animation:rise 1s}';
  t.equal(
    used(css, '<p class="toast">'),
    ':root{--a:1px;--b:var(--a);color:var(--b)}@keyframes rise{to{opacity:0}}.toast{animation:rise 1s}',
  );
  t.equal(used(css, '<p>'), ':root{--a:1px;--b:var(--a);color:var(--b)}');
});

t.test('ignores the content of closed dialogs, and joined pages have the names of both pages', async (t) => {
  const css = '.dialog{gap:0}.form{gap:0}';
  t.equal(used(css, '<dialog class="dialog"><form class="form"></form></dialog>'), '');
  t.equal(used(css, '<dialog class="dialog" open><form class="form"></form></dialog>'), css);
  t.equal(usedRules(readRules('.a b{gap:0}'), joined(namesIn('<p class="a">'), namesIn('<b>'))), '.a b{gap:0}');
});

t.test('keeps the counter styles of lists only for a page with a list', async (t) => {
  const css = '@counter-style ab{system:extends lower-alpha;suffix:") "}ol[data-label=a\\)]{list-style:ab}';
  t.equal(used(css, '<ol data-label="a)"><li>Oui</li></ol>'), css);
  t.equal(used(css, '<p>'), '');
});
