import type { Learner } from '../accounts/learner.ts';

/** A learner as the header shows it. */
export function presentViewer(learner: Learner | null) {
  if (!learner) return null;
  return { username: learner.username, email: learner.email, initial: (learner.username[0] ?? 'U').toUpperCase() };
}
