import type { Answer } from '../runtime/post.ts';
import type { Notice } from '../ui/Alert.tsx';

const kept = 'Ce que vous avez saisi est conservé';

/** What a call that failed means, in words: what happened, what was kept, what to do. Null stands for no answer at all. */
export function noticeOf(answer: Answer | null, failure: string): Notice {
  if (!answer)
    return { kind: 'error', message: failure, detail: `Le serveur ne répond pas. ${kept} : vérifiez votre connexion, puis réessayez.` };
  if (answer.status === 401) return { kind: 'error', message: answer.body.message ?? failure, detail: `${kept} dans cette page.` };
  if (answer.status >= 500)
    return { kind: 'error', message: failure, detail: `${answer.body.message ?? 'Le service ne répond pas.'} ${kept}.` };
  return { kind: 'error', message: answer.body.message ?? failure };
}

/** The session has ended: what was typed waits here while the person signs in elsewhere. */
export const isSignedOut = (answer: Answer | null): boolean => answer?.status === 401;
