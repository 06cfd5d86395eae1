import type { FastifyInstance } from 'fastify';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { flashDone } from '../../../platform/pages/flash.ts';
import { formatDate } from '../../../shared/dates.ts';
import { maxDeviceName } from '../../../shared/offline/offline-copy.ts';
import { presentedSession } from '../../identity/index.ts';
import { type DeviceOnProfile, listDevices } from './device.repository.ts';
import { forgetDevice, lastSeen, nameDevice } from './device.service.ts';
import { nameBody } from './offline.schemas.ts';

const profile = '/user/profil';

/** Section of the learner's profile: lists the devices that keep prepas, renames and removes them. */
export async function keptDevicesPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  app.contributeToProfile(async (request) => {
    const now = request.context.clock.now();
    const devices = await listDevices(request.em, request.signedInLearner.id, presentedSession(request));
    return devices.length === 0
      ? null
      : { view: 'partials/kept-devices', data: { devices: devices.map((device) => presentDevice(device, now)), maxDeviceName } };
  });

  app.post(
    `${profile}/hors-ligne/:id/nommer`,
    { onRequest: [app.requireLearner], schema: { params: idParams, body: nameBody } },
    async (request, reply) => {
      const { nom } = request.body;
      if (nom === '') reply.flash('error', 'Donnez un nom à cet appareil.');
      else {
        const named = nameDevice(request.em, request.context, request.signedInLearner.id, request.params.id, nom);
        await flashDone(request, reply, named, `Appareil nommé « ${nom} ».`);
      }
      return reply.redirect(`${profile}#profile-kept`, 303);
    },
  );

  const guarded = { preHandler: [app.requireLearner], schema: { params: idParams } };
  app.post(`${profile}/hors-ligne/:id/retirer`, guarded, async (request, reply) => {
    await flashDone(
      request,
      reply,
      forgetDevice(request.em, request.context, request.signedInLearner.id, request.params.id),
      "Appareil retiré. Ce qu'il garde y sera effacé dès qu'il aura du réseau.",
    );
    return reply.redirect(profile, 303);
  });
}

function presentDevice({ id, nom, seenAt, current, prepas }: DeviceOnProfile, now: Date) {
  return {
    id,
    nom,
    current,
    seen: lastSeen(seenAt, now),
    prepas: prepas.map((prepa) => ({ nom: prepa.nom, partly: prepa.partly, since: formatDate(new Date(prepa.keptAt)) })),
  };
}
