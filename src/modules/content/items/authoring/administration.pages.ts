import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../../platform/errors.ts';
import { idParams, idSchema, withZod } from '../../../../platform/http/validators.ts';
import { yearOf } from '../../../../shared/dates.ts';
import { byKind, type ItemKind, itemKinds, kindDetails, labelOf } from '../../../../shared/item-kinds.ts';
import { administratorsOnly } from '../../../identity/index.ts';
import { listDrafts } from '../drafts/draft.repository.ts';
import { presentListedItem } from '../item.presenter.ts';
import { findDisciplineHead, listOutlines } from '../item.repository.ts';
import { presentListedDraft } from '../publication/draft.presenter.ts';

const failure = 'Erreur lors du chargement de la discipline';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'content/admin-discipline': {
      discipline: { id: number; nom: string; description: string };
      prepa: { id: number; nom: string };
      /** Whether a text of the discipline has questions. */
      hasQuestions: boolean;
      /** Plain lists of the items, shown when scripts are off. */
      sections: { title: string; empty: string; items: { label: string; titre: string }[] }[];
      /** HTML of the island. */
      island: string;
    };
    /** Error page shown when the discipline could not be read. */
    'content/admin-discipline-failed': {
      failure: string;
      /** Address of this page, for the retry link. */
      href: string;
    };
  }
}

/** Serves /admin/discipline/:id, the editor screen of a discipline. `?type=course&item=ID` opens an item. */
export async function contentAdministrationPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  const guarded = administratorsOnly(app);
  const options = { ...guarded, config: { ...guarded.config, authored: true }, schema: { params: idParams } };
  app.get('/admin/discipline/:id', options, async (request, reply) => {
    const { id } = request.params;
    // A failed read shows an error in its own section; the rest of the page is still rendered.
    const attempt = async <Result>(read: () => Promise<Result>): Promise<Result | 'failed'> => {
      try {
        return await read();
      } catch (error) {
        request.log.error({ err: error }, 'discipline screen: read failed');
        return 'failed';
      }
    };
    const page = { area: 'admin', noindex: true } as const;
    const discipline = await attempt(() => findDisciplineHead(request.em, id));
    if (discipline === 'failed') {
      reply.code(500);
      return reply.page('content/admin-discipline-failed', {
        ...page,
        title: 'Discipline',
        failure,
        href: request.url,
        toasts: [{ kind: 'error', message: failure }],
      });
    }
    if (!discipline) throw notFound("Cette discipline n'existe pas ou n'existe plus.");

    const read = await attempt(() => listOutlines(request.em, id, itemKinds));
    const drafts = await attempt(() => listDrafts(request.em, id));
    const items = read === 'failed' ? [] : read;
    const listOf = (kind: ItemKind) => items.filter((item) => item.kind === kind).map(presentListedItem);
    const { nom, description, prepaId, prepaNom } = discipline;
    return reply.page('content/admin-discipline', {
      ...page,
      title: nom,
      discipline: { id, nom, description },
      prepa: { id: prepaId, nom: prepaNom },
      hasQuestions: items.some((item) => item.hasQuestions),
      sections: itemKinds.map((kind) => ({
        title: kindDetails[kind].list,
        empty: kindDetails[kind].none,
        items: listOf(kind).map((item) => ({ label: labelOf(kind, item), titre: item.titre })),
      })),
      island: reply.island('admin-content', {
        administratorId: request.actor.administratorId,
        disciplineId: id,
        lists: byKind(listOf),
        drafts: drafts === 'failed' ? [] : drafts.map(presentListedDraft),
        failed: read === 'failed' || drafts === 'failed',
        currentYear: yearOf(request.context.clock.now()),
        selected: selectionOf(request.query),
      }),
    });
  });
}

/** Returns the tab and item named by the query string, or the first tab when the query is invalid. */
function selectionOf(query: unknown): { kind: ItemKind; item: number | null } {
  const { type, item } = query as { type?: unknown; item?: unknown };
  const kind = itemKinds.find((known) => known === type);
  return kind ? { kind, item: idSchema.safeParse(item).data ?? null } : { kind: 'course', item: null };
}
