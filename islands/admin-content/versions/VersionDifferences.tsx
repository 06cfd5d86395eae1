import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { TextDifferences, type TypedItem } from '../conflict/TextDifferences.tsx';
import type { Documents } from '../items/documents.ts';
import type { ItemVersion } from '../items/records.ts';

interface VersionDifferencesProps {
  kind: ItemKind;
  version: ItemVersion;
  stored: Documents;
  mine: TypedItem;
}

/** Shows how a version differs from the open text, saved or not. */
export default function VersionDifferences({ kind, version, stored, mine }: VersionDifferencesProps) {
  return (
    // biome-ignore lint/a11y: a scrollable text must be focusable, and is not a landmark
    <div className="authoring__stored authoring__compared" tabIndex={0} role="group" aria-label="Différences avec le texte ouvert">
      <p className="field__hint">
        <span className="nobreak">
          <del>Barré</del> :
        </span>{' '}
        dans cette version seulement.{' '}
        <span className="nobreak">
          <ins>Souligné</ins> :
        </span>{' '}
        dans le texte ouvert seulement.
      </p>
      <TextDifferences kind={kind} theirs={version} stored={stored} mine={mine} />
    </div>
  );
}
