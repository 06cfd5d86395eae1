import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../../platform/errors.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { formatInstant } from '../../../../shared/dates.ts';
import { withQuestionForms } from '../../../../shared/questions/asked.ts';
import { withoutUnusable } from '../../../../shared/questions/question-html.ts';
import { asRead } from '../../../../shared/rich-text/as-read.ts';
import { asStudied } from '../../../../shared/study/as-studied.ts';
import { administratorsOnly } from '../../../identity/index.ts';
import { findDraft } from '../drafts/draft.repository.ts';
import { findItemOfAnyKind } from '../item.repository.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'content/preview': {
      titre: string;
      /** What is shown: a draft and its author, or the published text. */
      shown: string;
      /** Address of the screen on which the text is written. */
      screen: string;
      isNarrow: boolean;
      here: string;
      contenu: string;
      corrige: string | null;
    };
  }
}

const querystring = z.object({ largeur: z.enum(['telephone', 'ecran']).default('ecran').catch('ecran') });

/** Serves /admin/apercu/:id: an item as learners will see it, its draft if there is one. For administrators alone. */
export async function previewPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);
  const options = { ...guarded, config: { ...guarded.config, authored: true }, schema: { params: idParams, querystring } };
  app.get('/admin/apercu/:id', options, async (request, reply) => {
    const { id } = request.params;
    const draft = await findDraft(request.em, id);
    const item = draft ?? (await findItemOfAnyKind(request.em, id));
    if (!item) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
    const { kind, disciplineId } = item;
    const titre = item.intitule || item.titre || 'Sans titre';
    const texts = asStudied({
      contenu: withQuestionForms(asRead(withoutUnusable(item.contenu))),
      corrige: item.corrige === null ? null : asRead(item.corrige),
    });
    return reply.page('content/preview', {
      area: 'admin',
      noindex: true,
      title: `Aperçu : ${titre}`,
      titre,
      shown: draft ? `Brouillon de ${draft.savedBy}, ${formatInstant(new Date(draft.savedAt))}` : 'Texte publié',
      screen: `/admin/discipline/${disciplineId}?type=${kind}&item=${id}`,
      isNarrow: request.query.largeur === 'telephone',
      here: `/admin/apercu/${id}`,
      // An answer to a question of a draft has nowhere to go.
      contenu: texts.contenu.replaceAll('<form class="question"', '<form inert class="question"'),
      corrige: texts.corrige,
    });
  });
}
