import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { errorAnswers, messageAnswer } from '../../../../platform/http/answers.ts';
import { describedBody } from '../../../../platform/http/described-body.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { itemKinds } from '../../../../shared/item-kinds.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { listDrafts } from '../drafts/draft.repository.ts';
import { presentItemForEditor } from '../item.presenter.ts';
import type { ItemRow } from '../item.repository.ts';
import { bodyLimit, writtenAnswer } from '../item.schemas.ts';
import { withoutKnown } from '../saves/stored-texts.ts';
import { presentDraft, presentListedDraft } from './draft.presenter.ts';
import {
  draftAnswer,
  draftForm,
  keptAnswer,
  listedDrafts,
  publishBody,
  publishManyAnswer,
  publishManyBody,
  scheduleBody,
} from './draft.schemas.ts';
import { discardDraft, duplicate, readDraftOf, saveDraft } from './draft.service.ts';
import { publishDraft, publishDrafts, scheduleDraft } from './publish.service.ts';

const tags = ['Brouillons'];

/** Administrators' calls on unpublished texts. They create drafts with the calls of items, and `brouillon: true`. */
export const draftRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = administratorsBeforeBody(app);
  const afterSave = (reply: FastifyReply, item: ItemRow) => {
    for (const listener of app.afterItemSave) reply.afterwards(() => listener(item));
  };

  app.get(
    '/brouillons/discipline/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: "Les brouillons d'une discipline, sans leurs textes",
        params: idParams,
        response: { 200: listedDrafts, ...errorAnswers(400, 401) },
      },
    },
    async (request) => (await listDrafts(request.em, request.params.id)).map(presentListedDraft),
  );

  app.get(
    '/brouillons/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Un brouillon avec ses textes',
        params: idParams,
        response: { 200: draftAnswer, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => presentDraft(await readDraftOf(request.em, request.params.id)),
  );

  app.put(
    '/brouillons/:id',
    {
      ...guarded,
      bodyLimit,
      ...describedBody(draftForm, {
        tags,
        summary: "Garde un brouillon, ou commence celui d'un contenu publié ; les candidats n'en voient rien",
        params: idParams,
        response: { 200: keptAnswer, ...errorAnswers(400, 401, 404, 409, 413, 415, 503) },
      }),
    },
    async (request) => {
      const { id } = idParams.parse(request.params);
      const { draft, remarques, known } = await saveDraft(request.em, request.context, request.actor, { id, body: request.body });
      return { brouillon: withoutKnown(draft.kind, known, presentDraft(draft)), remarques };
    },
  );

  app.delete(
    '/brouillons/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Supprime un brouillon ; le contenu publié reste tel quel',
        params: idParams,
        response: { 200: messageAnswer, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => {
      await discardDraft(request.em, request.context, request.actor, { id: request.params.id });
      return { message: 'Le brouillon est supprimé.' };
    },
  );

  app.post(
    '/brouillons/:id/copie',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Copie un contenu, ou son brouillon, dans un nouveau brouillon de la même liste',
        params: idParams,
        response: { 201: keptAnswer, ...errorAnswers(400, 401, 404, 503) },
      },
    },
    async (request, reply) => {
      const { draft, remarques } = await duplicate(request.em, request.context, request.actor, { id: request.params.id });
      return reply.code(201).send({ brouillon: presentDraft(draft), remarques });
    },
  );

  app.post(
    '/brouillons/:id/publication',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Publie un brouillon',
        params: idParams,
        body: publishBody,
        response: { 200: z.union(itemKinds.map(writtenAnswer)), ...errorAnswers(400, 401, 404, 409, 503) },
      },
    },
    async (request, reply) => {
      const { item, remarques } = await publishDraft(request.em, request.context, request.actor, {
        id: request.params.id,
        seen: request.body === null ? null : { revision: request.body },
      });
      afterSave(reply, item);
      return { ...presentItemForEditor(item), remarques };
    },
  );

  app.put(
    '/brouillons/:id/publication',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Fixe quand un brouillon sera publié de lui-même',
        params: idParams,
        body: scheduleBody,
        response: { 200: draftAnswer, ...errorAnswers(400, 401, 404, 409) },
      },
    },
    async (request) => {
      const { publication, revision = null } = request.body;
      return presentDraft(
        await scheduleDraft(request.em, request.context, request.actor, { id: request.params.id, revision, at: publication }),
      );
    },
  );

  app.post(
    '/brouillons/publication',
    {
      ...guarded,
      schema: {
        tags,
        summary: "Publie plusieurs brouillons dans cet ordre ; l'un est refusé, les autres sont publiés",
        body: publishManyBody,
        response: { 200: publishManyAnswer, ...errorAnswers(400, 401, 503) },
      },
    },
    async (request, reply) => {
      const { ids, vus } = request.body;
      const drafts = ids.map((id, index) => ({ id, seen: vus?.[index] ?? null }));
      const outcomes = await publishDrafts(request.em, request.context, request.actor, drafts);
      for (const outcome of outcomes) if ('written' in outcome) afterSave(reply, outcome.written.item);
      return outcomes.map((outcome) =>
        'written' in outcome
          ? { id: outcome.id, publie: true }
          : { id: outcome.id, publie: false, message: outcome.message, errors: outcome.errors },
      );
    },
  );
};
