import { RecordTools } from './RecordTools.tsx';
import type { Discipline } from './records.ts';

interface DisciplineCardProps {
  discipline: Discipline;
  onEdit: () => void;
  onDelete: () => void;
}

export function DisciplineCard({ discipline: { id, nom, description, image_url }, onEdit, onDelete }: DisciplineCardProps) {
  return (
    <li className="card">
      {image_url && (
        <div className="cover">
          <img className="cover__image" src={image_url} alt="" width={960} height={540} loading="lazy" data-initials={nom.slice(0, 1)} />
        </div>
      )}
      <div className="card__body">
        <h3 className="card__title">{nom}</h3>
        {/* biome-ignore lint/a11y: a scrollable text must be focusable, and is not a landmark */}
        <div className="workbench__description" tabIndex={0} role="group" aria-label={`Description de ${nom}`}>
          {description}
        </div>
        <div className="card__actions">
          <a className="button" href={`/admin/discipline/${id}`} aria-label={`Ouvrir ${nom}`}>
            Ouvrir
          </a>
          <span className="workbench__tools">
            <RecordTools nom={nom} onEdit={onEdit} onDelete={onDelete} />
          </span>
        </div>
      </div>
    </li>
  );
}
