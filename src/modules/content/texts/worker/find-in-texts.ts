import type { Node } from 'prosemirror-model';
import { unescapeHtml } from '../../../../shared/escapes.ts';
import type { DocumentJson } from '../../../../shared/rich-text/document.ts';
import { excerptOf, findMatches, replaceMatches } from '../../../../shared/rich-text/find/matches.ts';
import { finderOf } from '../../../../shared/rich-text/find/query.ts';
import { readHtml } from '../html/reader.ts';
import { Remarks } from '../remarks.ts';
import type { FoundInText, TextsToChange, TextsToSearch } from './tasks.ts';

const read = (html: string): Node => readHtml(html, new Remarks());

/**
 * Returns the matches of each item. Only texts that may have one are read as documents: reading takes fifty times as long as looking for
 * the query in the bare text.
 */
export function findInTexts({ query, items, mostExcerpts }: TextsToSearch): FoundInText[] {
  const find = finderOf(query);
  const mayMatch = (html: string) =>
    (query.formulas && html.includes(' data-latex="')) || find(unescapeHtml(html.replaceAll(/<[^>]*>/g, ''))).length > 0;
  return items.map((texts) => {
    const documents = texts.filter(mayMatch).map(read);
    const found = documents.map((doc) => ({ doc, matches: findMatches(doc, query, { withKeys: false }) }));
    return {
      count: found.reduce((sum, { matches }) => sum + matches.length, 0),
      excerpts: found
        .flatMap(({ doc, matches }) => matches.slice(0, mostExcerpts).map((match) => excerptOf(doc, match)))
        .slice(0, mostExcerpts),
    };
  });
}

/** Returns the documents of the texts in which something was replaced. */
export function replaceInTexts({ query, replacement, texts }: TextsToChange): { documents: Record<string, DocumentJson>; count: number } {
  const documents: Record<string, DocumentJson> = {};
  let count = 0;
  for (const [column, html] of Object.entries(texts)) {
    if (html === '') continue;
    const doc = read(html);
    const matches = findMatches(doc, query, { withKeys: false });
    const replaced = replaceMatches(doc, matches, replacement);
    if (replaced.eq(doc)) continue;
    documents[column] = replaced.toJSON() as DocumentJson;
    count += matches.length;
  }
  return { documents, count };
}
