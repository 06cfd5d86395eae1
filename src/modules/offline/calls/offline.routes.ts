import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../../platform/errors.ts';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { untilClosed } from '../../../platform/http/closed-socket.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import type { AttemptLimiter } from '../../../platform/limits/attempt-limiter.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import { requestLimit } from '../../../platform/limits/request-limit.ts';
import { matches } from '../../../platform/pages/page-etag.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { describeDevice, presentedSession } from '../../identity/index.ts';
import { finishAnsweredSeries } from '../../questions/index.ts';
import { readKeptRevision } from '../../revision/index.ts';
import type { ReadingJournal } from '../../study/index.ts';
import { dropCopy, lockLearner } from '../devices/device.repository.ts';
import { answerContact, hashSecret, keepCopy, lastInstant } from '../devices/device.service.ts';
import type { FindEndSigner } from '../devices/end-of-copy.ts';
import {
  contactAnswer,
  contactBody,
  differencesBody,
  entriesAnswer,
  entriesBody,
  entrySchema,
  forgetBody,
  keepAnswer,
  keepBody,
  marksAnswer,
  marksQuery,
  sizesAnswer,
  textsAnswer,
  textsQuery,
} from '../devices/offline.schemas.ts';
import { takeAll } from '../entries/entries.service.ts';
import { listMarks } from '../entries/entry.repository.ts';
import { readSizes } from '../keeping/sizes.service.ts';
import { tagOfVersions } from '../texts/texts.presenter.ts';
import { type Compressed, readableVersions, textDifference, wholeTexts } from '../texts/texts.service.ts';

/** Calls without a session per minute and network. Each costs two statements, and a mobile carrier has thousands of users behind one address. */
const contactsPerMinute = 600;
/** Maximum size of a difference's body, in bytes: the versions of 5,000 items. */
const differencesLimit = 192 * 1024;
/** Maximum size of a call with entries, in bytes: 200 entries, each with the longest answer. */
const entriesLimit = 256 * 1024;

interface OfflineRoutes {
  journal: ReadingJournal;
  signer: FindEndSigner;
  /** Limits a learner's downloads: all texts, or a difference. */
  downloads: AttemptLimiter;
  /** Whether prepas may be kept. Entries from devices are accepted in any case. */
  open: boolean;
}

/** API calls of devices that keep prepas (docs/offline.md). */
export const offlineRoutes: FastifyPluginAsync<OfflineRoutes> = async (instance, { journal, signer, downloads, open }) => {
  const app = withZod(instance);
  const tags = ['Lecture sans connexion'];
  // The session is checked before the body is validated.
  const onRequest = [app.requireLearner];
  const unsigned = requestLimit('offline', contactsPerMinute);

  const requireOpen = async () => {
    if (!open) throw notFound("La lecture sans connexion n'est pas proposée pour le moment.");
  };
  const keeping = { onRequest: [...onRequest, requireOpen] };
  const boundUnsigned = async (request: FastifyRequest) => {
    if (!request.learner) await unsigned.consume(networkOf(request.ip));
  };
  const download = (request: FastifyRequest) =>
    downloads.consume(
      request.signedInLearner.id,
      undefined,
      (wait) => `Vous avez téléchargé beaucoup de préparations en peu de temps. Ce qui est gardé reste lisible ; réessayez dans ${wait}.`,
    );

  app.get(
    '/hors-ligne/prepas/:id/tailles',
    {
      ...keeping,
      schema: {
        tags,
        summary: "Ce que pèse une préparation à garder sur l'appareil",
        params: idParams,
        response: { 200: sizesAnswer, ...errorAnswers(400, 401, 403, 404) },
      },
    },
    ({ em, context, signedInLearner, params }) => readSizes(em, context, signedInLearner.id, params.id),
  );

  app.post(
    '/hors-ligne/prepas/:id/garder',
    {
      ...keeping,
      schema: {
        tags,
        summary: 'Garder une préparation sur cet appareil, ou changer ce qui en est gardé ; trois appareils à la fois',
        params: idParams,
        body: keepBody,
        response: { 200: keepAnswer, ...errorAnswers(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { em, context, signedInLearner, body, params } = request;
      const keeper = {
        userId: signedInLearner.id,
        sessionId: presentedSession(request),
        secret: body.appareil,
        described: describeDevice(request.headers['user-agent']) ?? 'Appareil inconnu',
        nom: body.nom || null,
      };
      const { device, end } = await keepCopy(em, context, keeper, { id: params.id, disciplines: body.disciplines });
      const signs = await signer(em);
      const learner = signs.learnerTag(signedInLearner.id);
      const signed = signs.sign({ learner, device, prepa: params.id, end: lastInstant(end), signedAt: context.clock.now().getTime() });
      return { device, learner, end: signed, publicKey: signs.publicKey };
    },
  );

  app.post(
    '/hors-ligne/prepas/:id/retirer',
    {
      onRequest: [boundUnsigned],
      schema: {
        tags,
        summary: "Dire qu'un appareil ne garde plus une préparation ; pour qui tient le secret de l'appareil",
        params: idParams,
        body: forgetBody,
        response: { 204: z.null(), ...errorAnswers(400, 429) },
      },
    },
    async (request, reply) => {
      await dropCopy(request.em, hashSecret(request.body.appareil), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/hors-ligne/prepas/:id/textes',
    {
      ...keeping,
      schema: {
        tags,
        summary: "Tous les textes d'une préparation, ou de quelques disciplines",
        params: idParams,
        querystring: textsQuery,
        response: { 200: textsAnswer, 304: z.null(), ...errorAnswers(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { em, context, signedInLearner, params, query } = request;
      const choice = { id: params.id, disciplines: query.disciplines ?? null };
      const versions = await readableVersions(em, signedInLearner.id, context.clock.now(), choice);
      const etag = `W/"${tagOfVersions(versions)}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
      await download(request);
      const accepted = request.headers['accept-encoding'];
      return sendCompressed(reply, await wholeTexts(em, context, { choice, versions, accepted, signal: untilClosed(reply) }));
    },
  );

  app.post(
    '/hors-ligne/prepas/:id/differences',
    {
      ...keeping,
      bodyLimit: differencesLimit,
      schema: {
        tags,
        summary: "Les textes qui ne sont pas ceux que l'appareil tient",
        params: idParams,
        body: differencesBody,
        response: { 200: textsAnswer, ...errorAnswers(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { em, context, signedInLearner, params, body } = request;
      const choice = { id: params.id, disciplines: body.disciplines };
      const versions = await readableVersions(em, signedInLearner.id, context.clock.now(), choice);
      await download(request);
      const asked = { choice, versions, accepted: request.headers['accept-encoding'], signal: untilClosed(reply) };
      const held = { items: body.tenus, takesChanges: body.changements };
      return sendCompressed(reply, await textDifference(em, context, asked, held));
    },
  );

  app.get(
    '/hors-ligne/prepas/:id/marques',
    {
      onRequest,
      config: { load: 'deferrable' },
      schema: {
        tags,
        summary: "Ce que le candidat a fait d'une préparation",
        params: idParams,
        querystring: marksQuery,
        response: { 200: marksAnswer, ...errorAnswers(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { em, context, signedInLearner, params, query } = request;
      const now = context.clock.now();
      await readableVersions(em, signedInLearner.id, now, { id: params.id, disciplines: null });
      await journal.flushSoon();
      const learner = (await signer(em)).learnerTag(signedInLearner.id);
      const held = query.tenues && query.depuis !== undefined ? { tag: query.tenues, latest: query.depuis } : null;
      const revision = await readKeptRevision(em, signedInLearner.id, now, params.id, held);
      return { learner, marques: await listMarks(em, signedInLearner.id, now, params.id), revision };
    },
  );

  app.post(
    '/hors-ligne/contact',
    {
      onRequest: [boundUnsigned],
      config: { load: 'deferrable' },
      schema: {
        tags,
        summary: "Ce que deviennent les préparations qu'un appareil garde ; aussi sans session",
        body: contactBody,
        response: { 200: contactAnswer, ...errorAnswers(400, 429) },
      },
    },
    (request) => {
      const { em, context, learner, body } = request;
      return answerContact(em, context, signer, {
        secret: body.appareil,
        learner: learner && { id: learner.id, sessionId: presentedSession(request) },
        choices: body.prepas,
      });
    },
  );

  app.post(
    '/hors-ligne/marques',
    {
      onRequest,
      config: { load: 'deferrable' },
      bodyLimit: entriesLimit,
      schema: {
        tags,
        summary: 'Ce qui a été fait sans connexion : chaque entrée compte une fois, dans quelque ordre que ce soit',
        body: entriesBody,
        response: { 200: entriesAnswer, ...errorAnswers(400, 401, 409) },
      },
    },
    async (request) => {
      const { em, context, signedInLearner, body } = request;
      const now = context.clock.now();
      // Another learner may have signed in since the contact that returned the learner's tag.
      if (body.learner !== (await signer(em)).learnerTag(signedInLearner.id)) throw anotherLearner();
      const entries = body.entrees.flatMap((entry) => entrySchema.safeParse(entry).data ?? []);
      if (entries.length > 0) {
        const within = entries.map((entry) => ({ ...entry, le: Math.min(Math.max(entry.le, 0), now.getTime()) }));
        const series = await transact(em, context, async (tx) => {
          await lockLearner(tx, signedInLearner.id);
          return takeAll(tx, signedInLearner.id, now, within);
        });
        if (series.length > 0)
          await transact(em, context, async (tx) => {
            await lockLearner(tx, signedInLearner.id);
            await finishAnsweredSeries(tx, signedInLearner.id, now, series);
          });
      }
      return { prises: body.entrees.map(({ cle }) => cle) };
    },
  );
};

const anotherLearner = () =>
  new AppError('OFFLINE.ANOTHER_LEARNER', 409, "Ceci a été fait par quelqu'un d'autre que le candidat connecté.");

/** Sends JSON that is already serialised and compressed; the response schema is only used for the API's description. */
function sendCompressed(reply: FastifyReply, { body, encoding }: Compressed) {
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(body as never);
}
