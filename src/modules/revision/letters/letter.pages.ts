import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { readForm } from '../../../platform/pages/form-answer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { describeWeekly } from './letter.presenter.ts';
import { chooseLetters, endLetters, findLetterChoices, type LetterKind } from './letter-choice.repository.ts';
import { type Unsubscription, unsubscriptionPath, unsubscriptionSigner } from './unsubscription.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'revision/unsubscribe': {
      kind: LetterKind;
      /** Whether the letters have been ended, or the page asks first. */
      isDone: boolean;
      action: string;
    };
  }
}

const address = '/user/lettres';
const profile = '/user/profil';
/** The finished session on whose page the learner asked. */
const sessionField = z.guid().optional().catch(undefined);

interface Options {
  /** Whether the site can send e-mails. */
  isOpen: boolean;
  weeklyLetter: Config['weeklyLetter'];
}

/** Serves the forms with which a learner chooses letters, and the page to which the links in them lead. */
export async function letterPages(instance: FastifyInstance, { isOpen, weeklyLetter }: Options): Promise<void> {
  const app = withZod(instance);
  const onRequest = [app.requireLearner];
  const weekly = describeWeekly(weeklyLetter);

  app.post(address, { onRequest }, async (request, reply) => {
    if (!isOpen) throw notFound();
    const { hebdo, fins } = readForm(request);
    await chooseLetters(request.em, request.signedInLearner.id, { weekly: hebdo === '1', ends: fins === '1' });
    return reply.flash('success', 'Vos choix sont enregistrés.').redirect(`${profile}#profile-letters`, 303);
  });

  app.post(`${address}/hebdo`, { onRequest }, async (request, reply) => {
    if (!isOpen) throw notFound();
    await chooseLetters(request.em, request.signedInLearner.id, { weekly: true });
    const seance = sessionField.parse(readForm(request).seance);
    return reply.flash('success', `C'est noté : un email ${weekly}.`).redirect(seance ? `/user/seance/${seance}` : profile, 303);
  });
  // The URL of the form, opened again with GET.
  for (const form of [address, `${address}/hebdo`])
    app.get(form, { preHandler: onRequest }, (_request, reply) => reply.redirect(profile, 303));

  app.contributeToProfile(async (request) => {
    if (!isOpen) return null;
    const choices = await findLetterChoices(request.em, request.signedInLearner.id);
    return { view: 'partials/letters', data: { ...choices, when: weekly } };
  });

  await app.register(unsubscriptionPages);
}

/** Serves /lettres/:token. A GET changes nothing, since scanners of mail programs follow links. */
async function unsubscriptionPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const findSigner = unsubscriptionSigner();
  const schema = { params: z.object({ token: z.string() }) };
  const path = unsubscriptionPath(':token');
  // Mail programs post a form or multipart (RFC 8058); the token in the path says it all.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));

  const read = async (request: FastifyRequest, token: string): Promise<Unsubscription> => {
    const found = (await findSigner(request.em)).read(token);
    if (!found) throw notFound("Ce lien n'est pas entier : ouvrez-le depuis l'email, ou copiez-le jusqu'au bout.");
    return found;
  };
  const send = (reply: FastifyReply, token: string, kind: LetterKind, isDone: boolean) =>
    reply
      .header('cache-control', 'no-store')
      .page('revision/unsubscribe', { title: 'Ne plus recevoir', noindex: true, kind, isDone, action: unsubscriptionPath(token) });

  app.get(path, { schema }, async (request, reply) => {
    const { token } = request.params;
    return send(reply, token, (await read(request, token)).kind, false);
  });

  // The response is the page itself: mail programs follow no redirect (RFC 8058, section 3.2).
  app.post(path, { schema, config: { crossOrigin: true, load: 'essential' } }, async (request, reply) => {
    const { token } = request.params;
    const { choiceId, kind } = await read(request, token);
    await endLetters(request.em, choiceId, kind);
    return send(reply, token, kind, true);
  });
}
