import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { invalidRequest } from '../../../platform/errors.ts';
import { readUpload, registerUploads } from '../../../platform/files/uploads.ts';
import { errorAnswers, messageAnswer } from '../../../platform/http/answers.ts';
import { multipart } from '../../../platform/http/described-body.ts';
import { answerPage, listPageQuery } from '../../../platform/http/listed-page.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { parseForm } from '../../../shared/forms/field-errors.ts';
import { administratorsOnly } from '../../identity/index.ts';
import { drawCover } from '../covers/drawn-cover.ts';
import {
  presentVersionedDiscipline,
  presentVersionedPrepa,
  presentWrittenDiscipline,
  presentWrittenPrepa,
} from '../prepas/catalogue.presenter.ts';
import { listAllPrepas, listDisciplinesToEdit } from '../prepas/catalogue.repository.ts';
import {
  deletionBody,
  disciplineAnswer,
  disciplineCreation,
  disciplineUpdate,
  drawnCover,
  drawnCoverForm,
  drawnCoverQuery,
  prepaAnswer,
  prepaCreation,
  prepaSearch,
  prepaUpdate,
  toggleAnswer,
} from '../prepas/catalogue.schemas.ts';
import { createDiscipline, deleteDiscipline, updateDiscipline } from './discipline.service.ts';
import { createPrepa, deletePrepa, togglePublication, updatePrepa } from './prepa.service.ts';

/** Administrators' calls on prepas and disciplines (specification §7). */
export const catalogueAdministrationRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  await registerUploads(app);
  const guarded = administratorsOnly(app);
  const tags = ['Préparations'];
  const disciplineTags = ['Disciplines'];

  app.get(
    '/prepas',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Toutes les préparations, par pages (Link)',
        querystring: listPageQuery.extend({
          q: prepaSearch.optional().meta({ description: 'Ce que leur nom ou leur description contient' }),
        }),
        response: { 200: z.array(prepaAnswer), ...errorAnswers(401) },
      },
    },
    async (request, reply) => {
      const { q = '' } = request.query;
      return (await answerPage(request, reply, request.query, (page) => listAllPrepas(request.em, page, q))).map(presentVersionedPrepa);
    },
  );

  app.get(
    '/prepas/couverture',
    {
      ...guarded,
      schema: {
        tags,
        summary: "Dessine une couverture d'après le nom : un PNG de 16:9, à envoyer ensuite comme image",
        querystring: drawnCoverQuery,
        response: { 200: drawnCover, ...errorAnswers(400, 401) },
      },
    },
    async (request, reply) => {
      const { data, errors } = parseForm(drawnCoverForm, request.query);
      if (!data) throw invalidRequest(errors);
      return reply.type('image/png').send(await drawCover(data.nom));
    },
  );

  app.post(
    '/prepas',
    {
      ...guarded,
      ...multipart(prepaCreation, {
        tags,
        summary: 'Crée une préparation, non publiée',
        response: { 201: prepaAnswer, ...errorAnswers(400, 401, 413, 415) },
      }),
    },
    async (request, reply) => {
      const prepa = await createPrepa(request.em, request.context, request.actor, await readUpload(request));
      return reply.code(201).send(presentWrittenPrepa(prepa));
    },
  );

  app.put(
    '/prepas/:id',
    {
      ...guarded,
      ...multipart(prepaUpdate, {
        tags,
        summary: 'Modifie une préparation',
        params: idParams,
        response: { 200: prepaAnswer, ...errorAnswers(400, 401, 404, 409, 413, 415) },
      }),
    },
    async (request) => {
      const { id } = idParams.parse(request.params);
      return presentWrittenPrepa(await updatePrepa(request.em, request.context, request.actor, id, await readUpload(request)));
    },
  );

  app.put(
    '/prepas/:id/toggle-publish',
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Publie une préparation, ou ne la publie plus',
        params: idParams,
        response: { 200: toggleAnswer, ...errorAnswers(401, 404) },
      },
    },
    async (request) => {
      const { id, isPublished } = await togglePublication(request.em, request.context, request.actor, request.params.id);
      const message = isPublished ? 'La préparation est publiée.' : "La préparation n'est plus publiée.";
      return { id, is_published: isPublished, message };
    },
  );

  app.delete(
    '/prepas/:id',
    {
      ...guarded,
      schema: {
        tags,
        summary: "Supprime une préparation et tout ce qu'elle contient",
        params: idParams,
        body: deletionBody,
        response: { 200: messageAnswer, ...errorAnswers(400, 401, 404, 409) },
      },
    },
    async (request) => {
      await deletePrepa(request.em, request.context, request.actor, { id: request.params.id, confirmation: request.body });
      return { message: 'Préparation supprimée avec succès' };
    },
  );

  app.get(
    '/prepas/:id/disciplines',
    {
      ...guarded,
      schema: {
        tags: disciplineTags,
        summary: "Disciplines d'une préparation, publiée ou non",
        params: idParams,
        response: { 200: z.array(disciplineAnswer), ...errorAnswers(401) },
      },
    },
    async (request) => (await listDisciplinesToEdit(request.em, request.params.id)).map(presentVersionedDiscipline),
  );

  app.post(
    '/disciplines',
    {
      ...guarded,
      ...multipart(disciplineCreation, {
        tags: disciplineTags,
        summary: "Crée une discipline d'une préparation",
        response: { 201: disciplineAnswer, ...errorAnswers(400, 401, 413, 415) },
      }),
    },
    async (request, reply) => {
      const discipline = await createDiscipline(request.em, request.context, request.actor, await readUpload(request));
      return reply.code(201).send(presentWrittenDiscipline(discipline));
    },
  );

  app.put(
    '/disciplines/:id',
    {
      ...guarded,
      ...multipart(disciplineUpdate, {
        tags: disciplineTags,
        summary: 'Modifie une discipline',
        params: idParams,
        response: { 200: disciplineAnswer, ...errorAnswers(400, 401, 404, 409, 413, 415) },
      }),
    },
    async (request) => {
      const { id } = idParams.parse(request.params);
      return presentWrittenDiscipline(await updateDiscipline(request.em, request.context, request.actor, id, await readUpload(request)));
    },
  );

  app.delete(
    '/disciplines/:id',
    {
      ...guarded,
      schema: {
        tags: disciplineTags,
        summary: "Supprime une discipline et tout ce qu'elle contient",
        params: idParams,
        body: deletionBody,
        response: { 200: messageAnswer, ...errorAnswers(400, 401, 404, 409) },
      },
    },
    async (request) => {
      await deleteDiscipline(request.em, request.context, request.actor, { id: request.params.id, confirmation: request.body });
      return { message: 'Discipline supprimée avec succès' };
    },
  );
};
