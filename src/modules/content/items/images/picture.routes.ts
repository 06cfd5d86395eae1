import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../../../platform/errors.ts';
import { sendStored } from '../../../../platform/files/served-file.ts';
import type { FileStore } from '../../../../platform/files/storage.ts';
import { ownCookie } from '../../../../platform/http/cookies.ts';
import { wantsHtml } from '../../../../platform/http/negotiation.ts';
import { withZod } from '../../../../platform/http/validators.ts';
import { networkOf } from '../../../../platform/limits/network.ts';
import { requestLimit } from '../../../../platform/limits/request-limit.ts';
import { isActive, listOfLearner } from '../../../enrolment/index.ts';
import { identifyReader, presentedSession, sessionExpired } from '../../../identity/index.ts';
import { imageNameOf } from './image.service.ts';
import { findPictureAccess } from './picture.repository.ts';
import type { FindSigner, SignedAddress } from './picture-address.ts';

/** Cookie that names the prepas whose pictures the browser may load without a query. Sent only for pictures of texts. */
const passCookie = 'images';
const passPath = '/media/content/';
/** Lifetime of a pass, in ms. For up to this time a session ended elsewhere, or withdrawn access, still loads pictures. */
const passMs = 3_600_000;
/** Requests per minute and network without an account or a valid address: each costs a query. */
const lookUpsPerMinute = 600;
/** Maximum number of prepas in a pass: a cookie's size is limited. */
const maxPrepas = 100;

const params = z.object({ name: z.string() });
const querystring = z.object({ acces: z.string().optional().catch(undefined) });

interface PictureOptions {
  /** Store of the picture files. */
  store: FileStore;
  signer: FindSigner;
}

/**
 * Serves the pictures of texts to everyone who may read an item that shows them (docs/decisions/068-paid-pictures.md).
 * A signed address with a pass needs no query. All other readers are looked up, and learners get a pass.
 */
export async function pictureRoutes(instance: FastifyInstance, { store, signer }: PictureOptions): Promise<void> {
  const app = withZod(instance);
  const schema = { params, querystring };

  const perNetwork = requestLimit('pictures', lookUpsPerMinute);
  const gone = () => notFound("Cette image n'existe pas ou n'existe plus.");
  const isName = (name: string) => imageNameOf(`/media/content/${name}`) !== null;
  const send = (request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string) =>
    sendStored(request, reply.header('cache-control', cacheControl), store, `content/${name}`);
  const untilEnd = ({ end }: SignedAddress, now: Date) => `max-age=${Math.floor((end - now.getTime()) / 1000)}, immutable`;

  // Pictures of the trial are the same for everybody as long as the signed address is valid.
  app.get('/media/libre/:name', { schema, config: { quiet: true, anonymous: true, load: 'essential' } }, async (request, reply) => {
    const { name } = request.params;
    if (!isName(name)) throw gone();
    const now = request.context.clock.now();
    const address = (await signer(request.em)).read(`content/${name}`, request.query.acces);
    if (address?.audience === 'libre' && address.end > now.getTime())
      return send(request, reply, name, `public, ${untilEnd(address, now)}`);
    return reply.header('cache-control', 'private, no-store').redirect(`/media/content/${name}`, 302);
  });

  app.get(
    '/media/content/:name',
    { schema, config: { quiet: true, audience: 'shared', ownSession: true, load: 'essential' } },
    async (request, reply) => {
      const { name } = request.params;
      if (!isName(name)) throw gone();
      const now = request.context.clock.now();
      const signs = await signer(request.em);
      const address = signs.read(`content/${name}`, request.query.acces);
      const mine = address !== null && address.audience !== 'libre' && address.end > now.getTime() ? address : null;
      const session = presentedSession(request);
      const pass = mine && session && signs.readPass(request.cookies[ownCookie(request, passCookie, passPath).name], session);
      const isCovered = pass && pass.end > now.getTime() && pass.prepas.includes(Number(mine.audience));
      if (!isCovered && !(await lookUp(request, reply, name, now))) return reply;
      if (mine === null) return send(request, reply, name, 'private, no-cache');
      // The pass cookie changes every hour, but the browser's cached picture stays valid: so no Vary.
      return send(request, reply.removeHeader('vary'), name, `private, ${untilEnd(mine, now)}`);
    },
  );

  /**
   * Returns whether the reader may see the picture; false when the reply already redirects to the sign-in page. @throws AppError 401,
   * 403, 404
   */
  async function lookUp(request: FastifyRequest, reply: FastifyReply, name: string, now: Date): Promise<boolean> {
    await identifyReader(request, reply);
    if (request.administrator) return true;
    const { learner } = request;
    if (!learner) await perNetwork.consume(networkOf(request.ip));
    const { open, access, published } = await findPictureAccess(request.em, `content/${name}`, learner?.id ?? null, now);
    if (access && learner) await givePass(request, reply, learner.id, now);
    if (open || access) return true;
    if (wantsHtml(request) && !learner && published) {
      await app.requireLearner(request, reply);
      return false;
    }
    if (request.sessionExpired) throw sessionExpired(request.sessionEnding);
    if (!published) throw gone();
    throw new AppError('ITEM.LOCKED', 403, 'Cette image est réservée aux candidats inscrits à cette préparation.');
  }

  /** Sets the pass cookie. It expires with the first access in it that ends. */
  async function givePass(request: FastifyRequest, reply: FastifyReply, learnerId: string, now: Date): Promise<void> {
    const session = presentedSession(request);
    if (session === null || request.headers.authorization !== undefined) return;
    const open = (await listOfLearner(request.em, learnerId)).filter((enrolment) => isActive(enrolment, now)).slice(0, maxPrepas);
    const end = Math.min(now.getTime() + passMs, ...open.map(({ dateExpiration }) => dateExpiration.getTime()));
    const prepas = open.map(({ prepaId }) => prepaId).filter((id) => id !== null);
    if (prepas.length === 0) return;
    const { name, options } = ownCookie(request, passCookie, passPath);
    reply.setCookie(name, (await signer(request.em)).pass({ prepas, end }, session), { ...options, expires: new Date(end) });
  }
}
