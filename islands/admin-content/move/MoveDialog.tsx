import { type FormEvent, useState } from 'react';
import { type ItemKind, kindDetails, labelOf } from '../../../src/shared/item-kinds.ts';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { BusyButton } from '../../ui/BusyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { newDraftsOf } from '../list/drafts-of.ts';
import type { Screen } from '../use-screen.ts';
import { DestinationFields } from './DestinationFields.tsx';
import { moveContents, type Place } from './move-calls.ts';

interface MoveDialogProps {
  kind: ItemKind;
  disciplineId: number;
  screen: Screen;
  onClose: () => void;
}

/** Moves contents of a list, published or not, to another discipline. Those with unsaved text stay: the text is kept for this discipline. */
export default function MoveDialog({ kind, disciplineId, screen, onClose }: MoveDialogProps) {
  const dialog = useModal();
  const [entries] = useState(() => entriesOf(screen, kind));
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [place, setPlace] = useState<Place | null>(null);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const movable = entries.filter(({ unsaved }) => !unsaved);
  const all = movable.length > 0 && movable.every(({ id }) => ticked.has(id));
  const chosen = entries.filter(({ id }) => ticked.has(id));

  function tick(ids: readonly number[], on: boolean): void {
    const next = new Set(ticked);
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setTicked(next);
    setNotice(null);
  }

  async function move(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setNotice(null);
    if (chosen.length === 0) return setNotice({ kind: 'error', message: 'Cochez au moins un contenu.' });
    if (!place) return setNotice({ kind: 'error', message: 'Choisissez une préparation et une discipline.' });
    setBusy(true);
    const { deplaces, absents, failed } = await moveContents(
      chosen.map(({ id }) => id),
      place.id,
    );
    setBusy(false);
    const over = [...deplaces, ...absents];
    if (over.length > 0) screen.takeAway(kind, over);
    tick(over, false);
    if (failed !== undefined) {
      setSignedOut(isSignedOut(failed));
      return setNotice(noticeOf(failed, 'Le déplacement a échoué', 'Les contenus cochés restent à déplacer.'));
    }
    if (deplaces.length > 0) toast('success', said(deplaces.length, place));
    if (absents.length > 0) toast('warning', `${absents.length} n'${absents.length === 1 ? 'existe' : 'existent'} plus`);
    dialog.current?.close();
  }

  return (
    <Dialog ref={dialog} id="move-title" title={`Déplacer : ${kindDetails[kind].list}`} dismissible={!busy} onClose={onClose}>
      <form className="form" noValidate onSubmit={move}>
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et déplacez de nouveau.</SignInAgain>}
        </div>
        <fieldset className="authoring__ticks">
          <legend>Contenus à déplacer</legend>
          {movable.length > 1 && (
            <label className="choice">
              <input
                type="checkbox"
                checked={all}
                onChange={({ target }) =>
                  tick(
                    movable.map(({ id }) => id),
                    target.checked,
                  )
                }
              />
              <span>{`Tout cocher (${movable.length})`}</span>
            </label>
          )}
          <ul className="plain">
            {entries.map(({ id, label, titre, unsaved }) => (
              <li key={id}>
                <label className="choice">
                  <input
                    type="checkbox"
                    checked={ticked.has(id)}
                    disabled={unsaved}
                    onChange={({ target }) => tick([id], target.checked)}
                  />
                  <span>
                    {label} : {titre}
                    {unsaved && <em className="field__hint"> Texte non enregistré : enregistrez-le d'abord.</em>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
        <DestinationFields excluded={disciplineId} onChoose={setPlace} />
        <p className="field__hint">
          Les contenus viennent à la fin de la liste, avec leurs versions, leurs documents et les lectures des candidats. Les anciens liens
          y mènent. Personne n'est averti.
        </p>
        <div className="dialog__actions">
          <button className="button button--quiet" type="button" data-closes>
            Annuler
          </button>
          <BusyButton
            type="submit"
            label={chosen.length > 0 ? `Déplacer (${chosen.length})` : 'Déplacer'}
            busyLabel="Déplacement..."
            busy={busy}
          />
        </div>
      </form>
    </Dialog>
  );
}

function entriesOf(screen: Screen, kind: ItemKind) {
  const published = screen.state.lists[kind].items.map((item) => ({
    id: item.id,
    titre: item.intitule || item.titre,
    label: labelOf(kind, item),
  }));
  const drafts = newDraftsOf(screen, kind).map(({ id, titre, intitule }) => ({
    id,
    titre: intitule || titre || 'Sans titre',
    label: 'Brouillon',
  }));
  return [...published, ...drafts].map((entry) => ({ ...entry, unsaved: screen.drafted.has(kind, entry.id) }));
}

const said = (count: number, { nom }: Place): string => `${count} ${count === 1 ? 'contenu déplacé' : 'contenus déplacés'} vers ${nom}`;
