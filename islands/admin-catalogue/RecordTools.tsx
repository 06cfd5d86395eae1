import { Icon } from '../ui/Icon.tsx';

interface RecordToolsProps {
  /** The record's name, for the buttons' labels. */
  nom: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** Buttons to edit or delete a prepa or a discipline. */
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
