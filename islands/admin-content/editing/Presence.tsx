import { useEffect, useState } from 'react';
import { call } from '../../runtime/post.ts';
import { Alert } from '../../ui/Alert.tsx';
import { thisSession } from '../drafts/draft-store.ts';

interface OtherPage {
  nom: string;
  /** ISO 8601. */
  depuis: string;
  /** A page of the same administrator. */
  vous: boolean;
}

/** Interval of the calls, in ms. The server forgets a page after two and a half of them. */
const everyMs = 60_000;

/** Says who else has the item open, before two people write in it. A page that is not visible does not count as open. */
export function Presence({ itemId }: { itemId: number }) {
  const [others, setOthers] = useState<readonly OtherPage[]>([]);
  useEffect(() => {
    const address = `/api/presences/${itemId}`;
    let current = true;
    const say = async () => {
      if (document.hidden || !navigator.onLine) return;
      const answer = await call<{ autres: OtherPage[] }>('POST', address, { page: thisSession });
      if (current && answer?.ok) setOthers(answer.body.autres ?? []);
    };
    const leave = () => {
      // A beacon is sent even when the page is being closed.
      navigator.sendBeacon(address, new Blob([JSON.stringify({ page: thisSession, parti: true })], { type: 'application/json' }));
    };
    say();
    const timer = setInterval(say, everyMs);
    document.addEventListener('visibilitychange', say);
    addEventListener('pagehide', leave);
    return () => {
      current = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', say);
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [itemId]);

  return others.length > 0 && <Alert notice={{ kind: 'warning', message: messageOf(others) }} />;
}

function messageOf(others: readonly OtherPage[]): string {
  const sentences = others.map(({ nom, depuis, vous }) => {
    const who = vous ? 'Vous avez aussi ouvert ce contenu dans une autre fenêtre' : `${nom} a ouvert ce contenu`;
    return `${who} ${timeSince(new Date(depuis))}.`;
  });
  return `${sentences.join(' ')} Si chacun écrit de son côté, il faudra choisir entre les deux textes à l'enregistrement.`;
}

function timeSince(then: Date): string {
  const minutes = Math.floor((Date.now() - then.getTime()) / 60_000);
  if (minutes < 1) return "à l'instant";
  if (minutes < 60) return `il y a ${minutes} minute${minutes > 1 ? 's' : ''}`;
  return `il y a ${Math.floor(minutes / 60)} h`;
}
