import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import pascal from 'highlight.js/lib/languages/delphi';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import vba from 'highlight.js/lib/languages/vbnet';
import html from 'highlight.js/lib/languages/xml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({ bash, c, cpp, css, html, java, javascript, json, pascal, php, python, sql, vba });

/** Longest code that is highlighted, in characters: programs in lessons are shorter, and the time grows with the length. */
const MAX_CODE_LENGTH = 20_000;

/** A piece of code with its highlighting class; null: plain. */
export interface CodePiece {
  readonly text: string;
  /** `hljs-keyword` and similar, with a rule in the style sheet. */
  readonly className: string | null;
}

const CLASSES = new Set(
  'attr attribute built_in bullet comment doctag keyword literal meta name number operator params property regexp section selector-class selector-id selector-tag string symbol tag title type variable'
    .split(' ')
    .map((name) => `hljs-${name}`),
);

/** Returns `text` in pieces, which joined give `text`; one plain piece for an unknown language. */
export function highlight(text: string, language: string | null): CodePiece[] {
  if (!language || text.length > MAX_CODE_LENGTH || !lowlight.registered(language)) return [{ text, className: null }];
  const pieces: CodePiece[] = [];
  collect(lowlight.highlight(language, text), null, pieces);
  return pieces;
}

interface HastNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly HastNode[];
}

function collect(node: HastNode, className: string | null, pieces: CodePiece[]): void {
  if (node.type === 'text') pieces.push({ text: node.value ?? '', className });
  const names = Array.isArray(node.properties?.className) ? (node.properties.className as string[]) : [];
  const own = names.find((name) => CLASSES.has(name)) ?? className;
  for (const child of node.children ?? []) collect(child, own, pieces);
}
