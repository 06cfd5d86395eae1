import { useEffect, useReducer, useState } from 'react';
import { leaveIfSignedOut } from '../admin-shared/refusal.ts';
import { toast } from '../ui/toast.ts';
import { readDisciplines, readPrepas } from './catalogue-calls.ts';
import { type CatalogueState, reduceCatalogue } from './catalogue-state.ts';

/**
 * Holds the prepas of a page and the disciplines of the selected one, and reloads them.
 * @param listed address of the page's prepas
 */
export function useCatalogue(initial: CatalogueState, listed: string) {
  const [state, dispatch] = useReducer(reduceCatalogue, initial);
  /** Counts the requests for disciplines: a new request makes a pending response outdated. */
  const [asked, setAsked] = useState(0);

  async function reloadPrepas(): Promise<void> {
    const reading = await readPrepas(listed);
    if (reading.rows) return dispatch({ type: 'prepas read', prepas: reading.rows });
    if (leaveIfSignedOut(reading.answer)) return;
    dispatch({ type: 'prepas failed' });
    toast('error', 'Erreur lors de la récupération des prepas');
  }

  function reloadDisciplines(): void {
    dispatch({ type: 'disciplines wanted' });
    setAsked((times) => times + 1);
  }

  // After any selection, reads the disciplines and updates the address.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new value of `asked` starts a new request
  useEffect(() => {
    const prepaId = state.selected;
    let current = true;
    if (prepaId !== null && state.reading === 'waiting') {
      readDisciplines(prepaId).then((reading) => {
        if (!current) return;
        if (reading.rows) return dispatch({ type: 'disciplines read', prepaId, disciplines: reading.rows });
        if (leaveIfSignedOut(reading.answer)) return;
        dispatch({ type: 'disciplines failed', prepaId });
        toast('error', 'Erreur lors du chargement des disciplines');
      });
    }
    const query = new URLSearchParams(location.search);
    query.delete('prepa');
    if (prepaId !== null) query.set('prepa', String(prepaId));
    history.replaceState(history.state, '', query.size > 0 ? `?${query}` : location.pathname);
    return () => {
      current = false;
    };
  }, [state.selected, asked]);

  return { state, dispatch, reloadPrepas, reloadDisciplines };
}
