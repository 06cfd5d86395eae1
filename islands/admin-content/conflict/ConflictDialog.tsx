import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import type { Documents } from '../items/documents.ts';
import type { Item } from '../items/records.ts';
import { StoredText } from '../items/StoredText.tsx';
import { TextDifferences, type TypedItem } from './TextDifferences.tsx';

interface ConflictDialogProps {
  kind: ItemKind;
  title: string;
  /** The stored item, saved by somebody else. */
  theirs: Item;
  stored: Documents;
  /** The item as typed here. */
  mine: TypedItem;
  /** Says in French where the typed text is kept. */
  kept: string;
  onSaveMine: () => void;
  onTakeTheirs: () => void;
  onClose: () => void;
}

/** Shows the differences to a version saved by somebody else, and asks which version to keep. */
export default function ConflictDialog({
  kind,
  title,
  theirs,
  stored,
  mine,
  kept,
  onSaveMine,
  onTakeTheirs,
  onClose,
}: ConflictDialogProps) {
  const dialog = useModal();
  const decide = (decided: () => void) => {
    dialog.current?.close();
    decided();
  };
  return (
    <Dialog ref={dialog} id="conflict-title" title={title} className="dialog--wide authoring__conflict" onClose={onClose}>
      {/* biome-ignore lint/a11y: a scrollable text must be focusable, and is not a landmark */}
      <div className="dialog__body" tabIndex={0} role="group" aria-label="Différences entre les deux textes">
        <p>
          Rien n'a été écrasé.{' '}
          <span className="nobreak">
            <del>Barré</del> :
          </span>{' '}
          dans le texte enregistré seulement.{' '}
          <span className="nobreak">
            <ins>Souligné</ins> :
          </span>{' '}
          dans le vôtre seulement.
        </p>
        <TextDifferences kind={kind} theirs={theirs} stored={stored} mine={mine} />
        <details className="accordion__item">
          <summary>Lire le texte enregistré en entier</summary>
          <StoredText kind={kind} item={theirs} />
        </details>
        <p className="field__hint">{`Ni l'un ni l'autre ne se perd : les versions gardent le texte enregistré, et le vôtre est gardé ${kept}.`}</p>
      </div>
      <div className="dialog__actions">
        <button className="button button--quiet" type="button" data-closes>
          Continuer à écrire
        </button>
        <button className="button button--secondary" type="button" onClick={() => decide(onTakeTheirs)}>
          Prendre le texte enregistré
        </button>
        <button className="button" type="button" onClick={() => decide(onSaveMine)}>
          Enregistrer mon texte
        </button>
      </div>
    </Dialog>
  );
}
