import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';

/**
 * Returns the notice for a failed request: the failure, the kept input and the next step. `answer` is null if there was no response.
 * @param kept a sentence about the kept input
 */
export function noticeOf(answer: Answer | null, failure: string, kept: string): Notice {
  if (!answer)
    return { kind: 'error', message: failure, detail: `Le serveur ne répond pas. ${kept} Vérifiez votre connexion, puis réessayez.` };
  const { status, body } = answer;
  if (status === 401) return { kind: 'error', message: body.message ?? failure, detail: kept };
  if (status >= 500) return { kind: 'error', message: failure, detail: `${body.message ?? 'Le service ne répond pas.'} ${kept}` };
  return { kind: 'error', message: body.message ?? failure };
}

export const isSignedOut = (answer: Answer | null): boolean => answer?.status === 401;

/** If the session has ended and no dialog is open, opens the sign-in, which leads back here. Returns whether the sign-in was opened. */
export function leaveIfSignedOut(answer: Answer | null): boolean {
  // Leaving would lose the text typed in an open dialog.
  if (!isSignedOut(answer) || document.querySelector('dialog[open]')) return false;
  location.assign(`/admin/connexion?suite=${encodeURIComponent(location.pathname + location.search)}`);
  return true;
}
