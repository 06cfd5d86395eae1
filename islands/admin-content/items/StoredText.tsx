import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import { sayRule } from '../../../src/shared/questions/marking-rule.ts';
import { htmlOf, type Item } from './records.ts';
import { textsOf } from './texts.ts';

interface StoredTextProps {
  kind: ItemKind;
  item: Pick<Item, 'titre' | 'intitule' | 'annee' | 'duree' | 'bareme' | 'contenu' | 'enonce' | 'corrige'>;
}

/** Shows an item's stored texts, so that the author can see them before choosing. */
export function StoredText({ kind, item }: StoredTextProps) {
  return (
    // biome-ignore lint/a11y: a scrollable text must be focusable, and is not a landmark
    <div className="authoring__stored" tabIndex={0} role="group" aria-label="Texte enregistré">
      <p className="authoring__stored-title">
        {item.titre}
        {item.intitule && ` (${item.intitule})`}
        {kindDetails[kind].hasAnnee && `, ${item.annee}`}
        {item.duree ? `, ${item.duree} min` : ''}
        {typeof item.bareme === 'object' && `, ${sayRule(item.bareme)}`}
      </p>
      {textsOf(kind).map(({ field, label }) => {
        const html = htmlOf(item, field);
        return (
          <div key={field}>
            {textsOf(kind).length > 1 && <p className="authoring__stored-label">{label}</p>}
            {html === '' ? (
              <p className="field__hint">Vide</p>
            ) : (
              // biome-ignore lint/security/noDangerouslySetInnerHtml: canonical HTML from our own serialiser
              <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
            )}
          </div>
        );
      })}
    </div>
  );
}
