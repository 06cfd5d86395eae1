import type { CopyState, RemovalReason } from '../../../shared/offline/offline-copy.ts';

/** State of a device whose copy is judged. */
export interface DeviceState {
  userId: string;
  /** Whether the learner removed the device on their profile. */
  removed: boolean;
  /** Whether the device's last session was ended before its expiry, or its learner is blocked or erased. */
  ended: boolean;
  /** Ids of the prepas that the device keeps. */
  copies: readonly number[];
}

/** State of a prepa that a device keeps. */
export interface PrepaState {
  id: number;
  /** Whether the prepa exists, with at least one chosen discipline. */
  isThere: boolean;
  /** Whether the device's learner may read the prepa now. */
  access: boolean;
}

interface Judgement {
  state: CopyState;
  reason: RemovalReason | null;
}

/**
 * Decides whether a device keeps a copy, removes it, or must sign in to renew it.
 * @param device null: unknown, or deleted
 * @param learner id of the learner signed in on the device; null: nobody
 */
export function judge(device: DeviceState | null, learner: string | null, prepa: PrepaState): Judgement {
  const remove = (reason: RemovalReason): Judgement => ({ state: 'remove', reason });
  if (!device || device.removed) return remove('device-removed');
  if (learner !== null && learner !== device.userId) return remove('other-account');
  // A new sign-in of the same learner makes the ended session irrelevant.
  if (device.ended && learner === null) return remove('session-ended');
  if (!prepa.isThere) return remove('prepa-gone');
  if (!device.copies.includes(prepa.id)) return remove('device-removed');
  if (!prepa.access) return remove('ended');
  return { state: learner === null ? 'sign-in' : 'keep', reason: null };
}
