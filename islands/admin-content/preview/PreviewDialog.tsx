import { useEffect, useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { isEmpty } from '../../../src/shared/rich-text/emptiness.ts';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Documents as Attached } from '../../study/Documents.tsx';
import type { AttachedDocument } from '../../study/outline.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import type { Documents } from '../items/documents.ts';
import { textsOf } from '../items/texts.ts';
import { previewHtml } from './preview-html.ts';

interface PreviewDialogProps {
  kind: ItemKind;
  titre: string;
  /** The line below the title: 'Page 2 sur 7'. */
  label: string;
  documents: Documents;
  attached: readonly AttachedDocument[];
  /** Address of the stored text as learners see it; administrators can send it to each other. */
  href: string;
  onClose: () => void;
}

/** Shows the text, saved or not, as learners see it on a phone of 360 pixels. */
export default function PreviewDialog({ kind, titre, label, documents, attached, href, onClose }: PreviewDialogProps) {
  const dialog = useModal();
  const [html, setHtml] = useState<string[] | null>(null);
  const fields = textsOf(kind).filter(({ field }) => field === 'contenu' || !isEmpty(documents[field]));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview shows the text as it was when the dialog opened
  useEffect(() => {
    let current = true;
    previewHtml(fields.map(({ field }) => documents[field])).then((rendered) => current && setHtml(rendered));
    return () => {
      current = false;
    };
  }, []);

  return (
    <Dialog ref={dialog} id="preview-title" title="Aperçu sur téléphone" className="authoring__preview" dismissible onClose={onClose}>
      {/* biome-ignore-start lint/a11y: a scrollable text must be focusable, and is not a landmark */}
      <div
        className="authoring__phone"
        tabIndex={0}
        role="group"
        aria-label="Texte tel que les candidats le voient"
        aria-busy={html === null}
      >
        <p className="study__title">{titre}</p>
        <p className="study__page">{label}</p>
        {html === null && <p className="workbench__waiting">Chargement...</p>}
        {html?.map((text, index) => {
          const field = fields[index]?.field ?? 'contenu';
          // biome-ignore lint/security/noDangerouslySetInnerHtml: canonical HTML from our own serialiser
          const prose = <div className="prose" dangerouslySetInnerHTML={{ __html: text }} />;
          if (field === 'contenu') return <div key={field}>{prose}</div>;
          return (
            <details className="correction" key={field}>
              <summary>
                <span className="when-closed">Voir le corrigé</span>
                <span className="when-open">Masquer le corrigé</span>
              </summary>
              {prose}
            </details>
          );
        })}
        <Attached documents={attached} />
      </div>
      <p>
        <a href={href}>Aperçu enregistré, à ouvrir ou à envoyer à un autre administrateur</a>
      </p>
      {/* biome-ignore-end lint/a11y: a scrollable text must be focusable, and is not a landmark */}
    </Dialog>
  );
}
