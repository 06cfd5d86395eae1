import type { Learner } from '../sessions/sessions.ts';

/** A learner as the API answers it. */
export function presentLearner({ id, username, email }: Learner) {
  return { id, username, email };
}

/** A learner as the header shows it. */
export function presentViewer(learner: Learner | null) {
  if (!learner) return null;
  return { username: learner.username, email: learner.email, initial: (learner.username[0] ?? 'U').toUpperCase() };
}
