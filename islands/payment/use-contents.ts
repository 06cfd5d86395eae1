import { useEffect, useState } from 'react';
import { call } from '../runtime/post.ts';
import type { Contents, Prepa } from './checkout-contract.ts';

/** Returns a prepa's contents, from the page or from a request; undefined while loading, null if the request failed. */
export function useContents(prepa: Prepa | null): Contents | null | undefined {
  const [answer, setAnswer] = useState<{ id: number; contents: Contents | null }>();
  const id = prepa?.id;
  const said = prepa?.contents;

  useEffect(() => {
    if (id === undefined || said) return;
    let wanted = true;
    call<Contents>('GET', `/api/prepas/${id}/contenu`).then((got) => {
      if (wanted) setAnswer({ id, contents: got?.ok ? (got.body as Contents) : null });
    });
    return () => {
      wanted = false;
    };
  }, [id, said]);

  return said ?? (answer?.id === id ? answer?.contents : undefined);
}
