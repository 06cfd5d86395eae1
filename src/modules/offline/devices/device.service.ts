import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { daysBetween, formatDate } from '../../../shared/dates.ts';
import { type ContactAnswer, maxDevicesPerPrepa } from '../../../shared/offline/offline-copy.ts';
import { tagOfVersions } from '../texts/texts.presenter.ts';
import { readableVersions } from '../texts/texts.service.ts';
import { type Choice, findVersions } from '../texts/versions.repository.ts';
import { judge } from './copy-state.ts';
import {
  type DeviceRow,
  dropOutnumbered,
  findDevice,
  type KeepingDevice,
  keepCopyRow,
  listKeeping,
  lockLearner,
  removeDevice,
  renameDevice,
  takeDevice,
  touchDevice,
} from './device.repository.ts';
import type { FindEndSigner } from './end-of-copy.ts';

/** A contact is stored only if the last stored one is older than this, in ms. */
const notedMs = 3_600_000;

/** Returns the hash of a device's UUID, as stored. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret.toLowerCase()).digest('hex');

/** The learner and the device of a request. */
interface Keeper {
  userId: string;
  /** Hash of the session's token. */
  sessionId: string | null;
  /** The device's UUID. */
  secret: string;
  /** Name of the device from its User-Agent. */
  described: string;
  /** Name given by the learner; null keeps the previous name. */
  nom: string | null;
}

/**
 * Lets a device keep a prepa, or changes the device's choice of disciplines.
 * @returns the device's id, and the end of the access
 * @throws AppError 404 or 403 when the learner may not read the prepa; 409, naming the devices, when too many others keep it
 */
export async function keepCopy(
  em: EntityManager,
  context: UseCaseContext,
  { userId, sessionId, secret, described, nom }: Keeper,
  choice: Choice,
): Promise<{ device: number; end: Date }> {
  const now = context.clock.now();
  const { end, disciplines } = await readableVersions(em, userId, now, choice);
  if (disciplines.length === 0 && choice.disciplines !== null) throw notFound("Ces disciplines n'existent pas ou n'existent plus.");
  const device = await transact(em, context, async (tx) => {
    await lockLearner(tx, userId);
    const taken = await takeDevice(tx, { userId, secret: hashSecret(secret), described, nom, sessionId, now });
    if (!taken) throw new AppError('OFFLINE.TAKEN', 409, 'Un autre compte vient de se servir de cet appareil. Réessayez.');
    if (taken.ended) await dropOutnumbered(tx, userId, taken.id, maxDevicesPerPrepa);
    const others = await listKeeping(tx, userId, choice.id, taken.id);
    if (others.length >= maxDevicesPerPrepa) throw tooManyDevices(others, now);
    await keepCopyRow(tx, taken.id, choice.id, choice.disciplines && disciplines.map(([id]) => id), now);
    return taken.id;
  });
  return { device, end };
}

function tooManyDevices(others: readonly KeepingDevice[], now: Date): AppError {
  const named = others.map(({ nom, keptAt, seenAt }) => `${nom} (depuis le ${formatDate(keptAt)}, vu ${lastSeen(seenAt, now)})`);
  const list = `${named.slice(0, -1).join(', ')} et ${named.at(-1)}`;
  return new AppError(
    'OFFLINE.TOO_MANY_DEVICES',
    409,
    `Cette préparation est déjà gardée sur ${others.length} appareils : ${list}. Retirez-en un dans votre profil, où chacun peut recevoir un nom, pour la garder ici.`,
    { heading: "Trop d'appareils" },
  );
}

/** @throws AppError 404 */
export async function forgetDevice(em: EntityManager, context: UseCaseContext, userId: string, deviceId: number): Promise<void> {
  const removed = await transact(em, context, (tx) => removeDevice(tx, userId, deviceId, context.clock.now()));
  if (!removed) throw notFound("Cet appareil ne garde rien, ou n'existe plus.");
}

/** @throws AppError 404 */
export async function nameDevice(em: EntityManager, context: UseCaseContext, userId: string, deviceId: number, nom: string): Promise<void> {
  const renamed = await transact(em, context, (tx) => renameDevice(tx, userId, deviceId, nom));
  if (!renamed) throw notFound("Cet appareil ne garde rien, ou n'existe plus.");
}

/** Returns the day of a device's last contact as French text that follows 'vu'. */
export function lastSeen(seenAt: Date, now: Date): string {
  const days = daysBetween(seenAt, now);
  return days <= 0 ? "aujourd'hui" : days === 1 ? 'hier' : `le ${formatDate(seenAt)}`;
}

interface Asking {
  secret: string;
  /** The learner signed in on the device, and the hash of the session's token. */
  learner: { id: string; sessionId: string | null } | null;
  choices: readonly Choice[];
}

/** Returns the decision for each prepa that a device keeps: a newly signed end, a removal, or a sign-in to renew it. */
export async function answerContact(
  em: EntityManager,
  context: UseCaseContext,
  signer: FindEndSigner,
  { secret, learner, choices }: Asking,
): Promise<ContactAnswer> {
  const now = context.clock.now();
  const found = await findDevice(em, hashSecret(secret));
  const device = found && learner && (await noteContact(em, context, found, learner)) ? await findDevice(em, hashSecret(secret)) : found;
  const owner = device?.userId ?? null;
  const [versions, signs] = await Promise.all([findVersions(em, owner, now, choices), signer(em)]);
  const prepas = choices.map(({ id, disciplines }, index) => {
    const own = versions[index];
    const isThere = own !== undefined && own.prepaId !== null && (disciplines === null || own.disciplines.length > 0);
    const { state, reason } = judge(device, learner?.id ?? null, { id, isThere, access: own?.access ?? false });
    if (state !== 'keep' || !own?.end || !device || !owner) return { id, state, reason, end: null, tag: null };
    const end = signs.sign({
      learner: signs.learnerTag(owner),
      device: device.id,
      prepa: id,
      end: lastInstant(own.end),
      signedAt: now.getTime(),
    });
    return { id, state, reason, end, tag: tagOfVersions(own) };
  });
  return { now: now.getTime(), learner: learner && signs.learnerTag(learner.id), prepas };
}

/** Returns the last readable time of an access, in ms. The end itself is exclusive. */
export const lastInstant = (end: Date): number => end.getTime() - 1;

/**
 * Stores the session of a device's contact. A device that had been ended keeps its copies after the learner's new sign-in, unless too many
 * other devices keep the same prepa meanwhile.
 * @returns whether the device's copies may have changed
 */
async function noteContact(
  em: EntityManager,
  context: UseCaseContext,
  device: DeviceRow,
  { id, sessionId }: NonNullable<Asking['learner']>,
): Promise<boolean> {
  if (device.userId !== id || device.removed) return false;
  const now = context.clock.now();
  if (device.ended) {
    await transact(em, context, async (tx) => {
      await lockLearner(tx, id);
      await dropOutnumbered(tx, id, device.id, maxDevicesPerPrepa);
      await touchDevice(tx, device.id, sessionId, now);
    });
    return true;
  }
  if (device.sessionId !== sessionId || now.getTime() - device.seenAt.getTime() >= notedMs)
    await touchDevice(em.fork(), device.id, sessionId, now);
  return false;
}
