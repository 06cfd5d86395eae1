import { Icon } from '../ui/Icon.tsx';

interface RecordToolsProps {
  /** Of what is edited or deleted: the buttons' names say it. */
  nom: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** Edits or deletes a prepa or a discipline. */
export function RecordTools({ nom, onEdit, onDelete }: RecordToolsProps) {
  return (
    <>
      <button className="icon-button" type="button" aria-label={`Modifier ${nom}`} title="Modifier" onClick={onEdit}>
        <Icon name="edit" />
      </button>
      <button className="icon-button" type="button" aria-label={`Supprimer ${nom}`} title="Supprimer" onClick={onDelete}>
        <Icon name="delete" />
      </button>
    </>
  );
}
