import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { z } from 'zod';
import { errorAnswers, messageAnswer } from '../../../../platform/http/answers.ts';
import { describedBody } from '../../../../platform/http/described-body.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { presentItemForEditor, presentListedVersion, presentVersion } from '../item.presenter.ts';
import type { ItemRow } from '../item.repository.ts';
import {
  bodyLimit,
  itemAnswer,
  itemCreation,
  itemUpdate,
  positionBody,
  restoreBody,
  savedAnswer,
  versionAnswer,
  versionParams,
  versionsAnswer,
  writtenAnswer,
} from '../item.schemas.ts';
import { itemTypes } from '../item-types.ts';
import { presentDraft } from '../publication/draft.presenter.ts';
import { keptAnswer } from '../publication/draft.schemas.ts';
import { createDraft } from '../publication/draft.service.ts';
import { listVersions, readVersion, restoreVersion } from '../saves/history.service.ts';
import { createItem, deleteItem, moveItem, updateItem } from '../saves/item.service.ts';
import { isKeptAsDraft } from '../saves/item-form.ts';
import { withoutKnown } from '../saves/stored-texts.ts';

/** Administrators' calls on lessons, exercises and past exams (specification §7). */
export const itemAdministrationRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const guarded = administratorsBeforeBody(app);
  const writing = { ...guarded, bodyLimit };
  const afterSave = (reply: FastifyReply, item: ItemRow) => {
    for (const listener of app.afterItemSave) reply.afterwards(() => listener(item));
  };

  for (const { kind, path, deleted, tag } of itemTypes) {
    const tags = [tag];

    app.post(
      `/${path}`,
      {
        ...writing,
        ...describedBody(itemCreation(kind), {
          tags,
          summary: 'Crée un contenu à la fin de sa liste, ou son brouillon',
          response: { 201: z.union([writtenAnswer(kind), keptAnswer]), ...errorAnswers(400, 401, 413, 415, 503) },
        }),
      },
      async (request, reply) => {
        if (isKeptAsDraft(request.body)) {
          const { draft, remarques } = await createDraft(request.em, request.context, request.actor, { kind, body: request.body });
          return reply.code(201).send({ brouillon: presentDraft(draft), remarques });
        }
        const { item, remarques } = await createItem(request.em, request.context, request.actor, { kind, body: request.body });
        afterSave(reply, item);
        return reply.code(201).send({ ...presentItemForEditor(item), remarques });
      },
    );

    app.put(
      `/${path}/:id`,
      {
        ...writing,
        ...describedBody(itemUpdate(kind), {
          tags,
          summary: 'Enregistre un contenu ; ce qui précède est gardé parmi ses versions',
          params: idParams,
          response: { 200: savedAnswer(kind), ...errorAnswers(400, 401, 404, 409, 413, 415, 503) },
        }),
      },
      async (request, reply) => {
        const { id } = idParams.parse(request.params);
        const { item, remarques, known } = await updateItem(request.em, request.context, request.actor, { kind, id, body: request.body });
        afterSave(reply, item);
        return { ...withoutKnown(kind, known, presentItemForEditor(item)), remarques };
      },
    );

    app.put(
      `/${path}/:id/position`,
      {
        ...guarded,
        schema: {
          tags,
          summary: 'Déplace un contenu dans sa liste ; les autres suivent',
          params: idParams,
          body: positionBody,
          response: { 200: messageAnswer, ...errorAnswers(400, 401, 404) },
        },
      },
      async (request) => {
        const { id } = request.params;
        await moveItem(request.em, request.context, request.actor, { kind, id, to: request.body.numero_page });
        return { message: "L'ordre est enregistré." };
      },
    );

    app.delete(
      `/${path}/:id`,
      {
        ...guarded,
        schema: {
          tags,
          summary: 'Supprime un contenu avec ses versions et ses documents',
          params: idParams,
          response: { 200: messageAnswer, ...errorAnswers(400, 401, 404) },
        },
      },
      async (request) => {
        await deleteItem(request.em, request.context, request.actor, { kind, id: request.params.id });
        return { message: deleted };
      },
    );

    app.get(
      `/${path}/:id/versions`,
      {
        ...guarded,
        schema: {
          tags,
          summary: 'Les 100 dernières versions, la plus récente en premier',
          params: idParams,
          response: { 200: versionsAnswer, ...errorAnswers(400, 401, 404) },
        },
      },
      async (request) => (await listVersions(request.em, kind, request.params.id)).map(presentListedVersion),
    );

    app.get(
      `/${path}/:id/versions/:version`,
      {
        ...guarded,
        schema: {
          tags,
          summary: 'Une version avec ses textes',
          params: versionParams,
          response: { 200: versionAnswer, ...errorAnswers(400, 401, 404) },
        },
      },
      async (request) => {
        const { id, version } = request.params;
        return presentVersion(kind, await readVersion(request.em, kind, id, version));
      },
    );

    app.post(
      `/${path}/:id/versions/:version/restore`,
      {
        ...guarded,
        schema: {
          tags,
          summary: 'Reprend une version : elle devient la plus récente',
          params: versionParams,
          body: restoreBody,
          response: { 200: itemAnswer(kind), ...errorAnswers(400, 401, 404, 409) },
        },
      },
      async (request, reply) => {
        const { id, version } = request.params;
        const item = await restoreVersion(request.em, request.context, request.actor, { kind, id, version, from: request.body });
        afterSave(reply, item);
        return presentItemForEditor(item);
      },
    );
  }
};
