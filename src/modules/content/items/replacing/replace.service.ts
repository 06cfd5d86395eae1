import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../../../platform/errors.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { kindDetails } from '../../../../shared/item-kinds.ts';
import type { Excerpt } from '../../../../shared/rich-text/find/matches.ts';
import type { TextQuery } from '../../../../shared/rich-text/find/query.ts';
import type { Actor } from '../../../identity/index.ts';
import { findInTexts, replaceInTexts } from '../../texts/client/text-worker.ts';
import { findDraft } from '../drafts/draft.repository.ts';
import { withItsKeys } from '../item.presenter.ts';
import { findItemOfAnyKind, type ItemRow } from '../item.repository.ts';
import { saveDraft } from '../publication/draft.service.ts';
import { updateItem } from '../saves/item.service.ts';
import { type Content, nextContents, rebaseDraft } from './contents.repository.ts';

/** Most excerpts of one content. */
const mostExcerpts = 20;
/** Time after which a request begins no further replacement, in ms. */
const requestMs = 8_000;

/** A content with matches. */
export type FoundContent = Omit<Content, 'contenu' | 'corrige'> & { count: number; excerpts: readonly Excerpt[] };

/**
 * Searches the next contents of a discipline.
 * @param after the last id that was searched, 0 at first
 * @returns those with matches; how many were searched; the id to go on after, null at the end
 * @throws AppError 400, 503
 */
export async function searchContents(
  em: EntityManager,
  { disciplineId, query, after }: { disciplineId: number; query: TextQuery; after: number },
): Promise<{ found: FoundContent[]; searched: number; next: number | null }> {
  const contents = await nextContents(em, disciplineId, after);
  const items = contents.map(({ contenu, corrige }) => (corrige ? [contenu, corrige] : [contenu]));
  const matches = contents.length === 0 ? [] : await findInTexts({ query, items, mostExcerpts });
  const found = contents.flatMap(({ contenu: _text, corrige: _correction, ...content }, index) => {
    const { count, excerpts } = matches[index] ?? { count: 0, excerpts: [] };
    return count === 0 ? [] : [{ ...content, count, excerpts }];
  });
  return { found, searched: contents.length, next: contents.at(-1)?.id ?? null };
}

interface Target {
  id: number;
  isDraft: boolean;
  /** The version or revision that the administrator saw. */
  revision: number;
}

/** What became of one content: the saved item if it is published, the number of replacements, and why there was none. */
export interface Replaced extends Omit<Target, 'revision'> {
  count: number;
  item?: ItemRow;
  message?: string;
}

/**
 * Replaces a query in contents, each by a save of its own in its own transaction. One that was saved since the administrator saw it stays
 * as it is. A content that no longer has a match is left alone, so a request may be sent again.
 * @returns the outcomes; those that are missing were not begun within 8 s
 * @throws an unexpected error of one content; those before it are saved
 */
export async function replaceInContents(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { query, replacement, targets }: { query: TextQuery; replacement: string; targets: readonly Target[] },
): Promise<Replaced[]> {
  const begun = performance.now();
  const outcomes: Replaced[] = [];
  /** Items that this request has saved: the versions before and after. */
  const versions = new Map<number, { from: number; to: number }>();
  for (const target of targets) {
    if (outcomes.length > 0 && performance.now() - begun > requestMs) break;
    const { id, isDraft, revision } = target;
    try {
      const replaced = await replaceIn(em.fork(), context, actor, { query, replacement, target });
      outcomes.push({ id, isDraft, ...replaced });
      if (replaced.item && replaced.count > 0) versions.set(id, { from: revision, to: replaced.item.version });
      const item = versions.get(id);
      if (isDraft && item && replaced.count > 0) await rebaseDraft(em, id, item.from, item.to);
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 401) throw error;
      outcomes.push({ id, isDraft, count: 0, message: [error.message, ...(error.errors ?? []).map(({ message }) => message)].join(' ') });
    }
  }
  return outcomes;
}

interface Replacement {
  query: TextQuery;
  replacement: string;
  target: Target;
}

type Outcome = Omit<Replaced, 'id' | 'isDraft'>;

const gone: Outcome = { count: 0, message: "Ce contenu n'existe plus." };

async function replaceIn(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { query, replacement, target }: Replacement,
): Promise<Outcome> {
  const { id, isDraft, revision } = target;
  const content = await (isDraft ? findDraft(em, id) : findItemOfAnyKind(em, id));
  if (!content) return gone;
  const { kind, titre, annee, duree, bareme } = content;
  const { contenu, corrige } = withItsKeys(content);
  const { documents, count } = await replaceInTexts({ query, replacement, texts: { contenu, corrige: corrige ?? '' } });
  if (count === 0) return { count };
  const body = { titre, annee, ...named(kind, documents) };
  if (isDraft) {
    await saveDraft(em, context, actor, { id, body: { ...body, duree, bareme, revision } });
    return { count };
  }
  const note = { word: 'remplacement', audit: { remplacement: `« ${query.text} » par « ${replacement} » (${count})` } };
  const { item } = await updateItem(em, context, actor, { kind, id, body: { ...body, version: revision }, note });
  return { count, item };
}

/** Returns the changed texts under their names in a form. */
const named = (kind: Content['kind'], { contenu, corrige }: Readonly<Record<string, object>>) => ({
  ...(contenu && { [kindDetails[kind].text]: contenu }),
  ...(corrige && { corrige }),
});
