import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../../platform/errors.ts';
import { addressToGoTo, sendStored } from '../../../../platform/files/served-file.ts';
import type { FileStore } from '../../../../platform/files/storage.ts';
import { documentKind, readForm, registerUploads } from '../../../../platform/files/uploads.ts';
import { errorAnswers, messageAnswer } from '../../../../platform/http/answers.ts';
import { multipart } from '../../../../platform/http/described-body.ts';
import { wantsHtml } from '../../../../platform/http/negotiation.ts';
import { idParams, idSchema, withZod } from '../../../../platform/http/validators.ts';
import { administratorsBeforeBody } from '../../../identity/index.ts';
import { authoriseItem, readerOf } from '../item.policy.ts';
import { presentDocument } from '../item.presenter.ts';
import { documentAnswer, documentBody } from '../item.schemas.ts';
import { itemTypes } from '../item-types.ts';
import type { ReadsLimit } from '../reads-limit.ts';
import { findDocument } from './document.repository.ts';
import { attachDocument, documentNotFound, noFile, removeDocument } from './document.service.ts';

/** Calls on the documents of items: administrators attach and remove them; everyone who may read the item downloads them. */
export const documentRoutes: FastifyPluginAsync<{ store: FileStore; reads: ReadsLimit }> = async (instance, { store, reads }) => {
  const app = withZod(instance);
  await registerUploads(app);
  const guarded = administratorsBeforeBody(app);

  for (const { kind, path, tag } of itemTypes) {
    app.post(
      `/${path}/:id/documents`,
      {
        ...guarded,
        ...multipart(documentBody, {
          tags: [tag],
          summary: 'Joint un document PDF, de 10 Mo au plus',
          params: idParams,
          response: { 201: documentAnswer, ...errorAnswers(400, 401, 404, 413, 415) },
        }),
      },
      async (request, reply) => {
        const { id } = idParams.parse(request.params);
        const { fields, file } = await readForm(request, documentKind);
        if (!file) throw noFile();
        const document = await attachDocument(request.em, request.context, request.actor, { kind, id, file, nom: fields.nom });
        return reply.code(201).send(presentDocument(document));
      },
    );
  }

  app.delete(
    '/documents/:id',
    {
      ...guarded,
      schema: {
        tags: ['Documents'],
        summary: 'Retire un document',
        params: idParams,
        response: { 200: messageAnswer, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => {
      await removeDocument(request.em, request.context, request.actor, request.params.id);
      return { message: 'Document supprimé avec succès' };
    },
  );

  // The name in the path is ignored here. It is for people, and for browsers that take a file's name from the address.
  const params = z.object({ id: idSchema, name: z.string() });
  app.get(
    '/documents/:id/:name',
    { config: { audience: 'shared' }, schema: { tags: ['Documents'], summary: 'Télécharge un document', params } },
    async (request, reply) => {
      const document = await findDocument(request.em, request.params.id);
      if (!document) throw documentNotFound();
      try {
        await authoriseItem(request.em, document, readerOf(request));
      } catch (error) {
        // A visitor may gain access by signing in: a page request is redirected to the sign-in page, and back afterwards.
        const mayHelp = error instanceof AppError && error.status !== 404 && !request.learner;
        if (!mayHelp || !wantsHtml(request)) throw error;
        await app.requireLearner(request, reply);
        return reply;
      }
      if (request.learner) await reads.take(request, request.learner.id, [`document ${document.id}`], request.context.clock.now());
      // An uploaded PDF must not run scripts on our origin: it is sent as a download and sandboxed.
      reply.header('content-security-policy', "default-src 'none'; sandbox").type('application/pdf');
      const called = `${document.nom}.pdf`;
      const address = await addressToGoTo(request, store, document.file, called);
      if (address) return reply.header('cache-control', 'private, no-store').redirect(address, 302);
      return sendStored(request, reply, store, document.file, called);
    },
  );
};
