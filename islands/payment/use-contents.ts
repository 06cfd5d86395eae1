import { useEffect, useState } from 'react';
import { call } from '../runtime/post.ts';
import type { Contents, Prepa } from './checkout-contract.ts';

/** What a prepa holds, asked for when its payment is looked at unless the page has said it; undefined until it is known, null when it cannot be. */
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
