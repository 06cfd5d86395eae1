import type { CopyState, RemovalReason } from '../../../shared/offline/offline-copy.ts';

/** What is known of a device that asks, or whose copy is judged. */
export interface DeviceState {
  userId: string;
  /** Removed on its learner's profile. */
  removed: boolean;
  /** The session that it came with was ended by somebody, or its learner is shut out. */
  ended: boolean;
  /** The prepas that it keeps. */
  copies: readonly number[];
}

/** What is known of a prepa that a device keeps. */
export interface PrepaState {
  id: number;
  /** The prepa, and something of what was chosen. */
  isThere: boolean;
  /** Whether the device's learner may read it now. */
  access: boolean;
}

interface Judgement {
  state: CopyState;
  reason: RemovalReason | null;
}

/**
 * What becomes of a copy.
 * @param device null: unknown, or forgotten
 * @param learner who is signed in on it; null: nobody
 */
export function judge(device: DeviceState | null, learner: string | null, prepa: PrepaState): Judgement {
  const remove = (reason: RemovalReason): Judgement => ({ state: 'remove', reason });
  if (!device || device.removed) return remove('device-removed');
  if (learner !== null && learner !== device.userId) return remove('other-account');
  // Whoever has signed in again on it has shown to be the same learner.
  if (device.ended && learner === null) return remove('session-ended');
  if (!prepa.isThere) return remove('prepa-gone');
  if (!device.copies.includes(prepa.id)) return remove('device-removed');
  if (!prepa.access) return remove('ended');
  return { state: learner === null ? 'sign-in' : 'keep', reason: null };
}
