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

/** Tells which prepas' pictures a browser may fetch without being looked up; of the content's pictures alone. */
const passCookie = 'images';
const passPath = '/media/content/';
/** How long nobody is looked up after having been, in ms: as long a session that was ended elsewhere, or days that were taken back, still show pictures. */
const passMs = 3_600_000;
/** How often a network may ask for pictures without an account or a good address, in a minute: each costs a statement. */
const lookUpsPerMinute = 600;
/** Prepas of a pass, at most: what a cookie holds. */
const maxPrepas = 100;

const params = z.object({ name: z.string() });
const querystring = z.object({ acces: z.string().optional().catch(undefined) });

interface PictureOptions {
  /** Where stored pictures lie. */
  store: FileStore;
  signer: FindSigner;
}

/**
 * The pictures of texts, for whoever may read one of the items that show them (docs/decisions/068-paid-pictures.md). A signed address and a pass are judged without
 * any statement; everybody else is looked up, and gets a pass.
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

  // What the trial shows, as long as its address says so: the same for everybody.
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
      // The browser's own copy is good whatever its cookies are by then: a pass is another one each hour.
      return send(request, reply.removeHeader('vary'), name, `private, ${untilEnd(mine, now)}`);
    },
  );

  /** Whether whoever asks may see it; false when the reply is on its way to a sign-in. @throws AppError 401, 403, 404 */
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

  /** Never beyond the first end of an access that it stands for. */
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
