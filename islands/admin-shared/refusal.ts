import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';

/**
 * What a call that failed means, in words: what happened, what was kept, what to do. Null stands for no answer at all.
 * @param kept what stays as it was, as a sentence
 */
export function noticeOf(answer: Answer | null, failure: string, kept: string): Notice {
  if (!answer)
    return { kind: 'error', message: failure, detail: `Le serveur ne répond pas. ${kept} Vérifiez votre connexion, puis réessayez.` };
  const { status, body } = answer;
  if (status === 401) return { kind: 'error', message: body.message ?? failure, detail: kept };
  if (status >= 500) return { kind: 'error', message: failure, detail: `${body.message ?? 'Le service ne répond pas.'} ${kept}` };
  return { kind: 'error', message: body.message ?? failure };
}

/** The session has ended. */
export const isSignedOut = (answer: Answer | null): boolean => answer?.status === 401;

/** Where nothing was typed, an ended session leads to the sign-in, which says why, and back. Answers whether it did. */
export function leaveIfSignedOut(answer: Answer | null): boolean {
  // What is typed in an open dialog must not go with the page.
  if (!isSignedOut(answer) || document.querySelector('dialog[open]')) return false;
  location.assign(`/admin/connexion?suite=${encodeURIComponent(location.pathname + location.search)}`);
  return true;
}
