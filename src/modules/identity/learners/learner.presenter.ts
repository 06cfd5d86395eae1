import type { Learner } from '../accounts/learner.ts';

/** Returns the learner for the page header; null for a visitor. */
export function presentViewer(learner: Learner | null) {
  if (!learner) return null;
  return { username: learner.username, email: learner.email, initial: (learner.username[0] ?? 'U').toUpperCase() };
}
