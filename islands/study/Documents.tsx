import { formatBytes } from '../../src/shared/bytes.ts';
import type { AttachedDocument } from './outline.ts';

/** The PDF documents of an item, with their sizes, so that readers know the cost of a download. */
export function Documents({ documents }: { documents: readonly AttachedDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <section className="documents" aria-labelledby="documents-title">
      <h3 id="documents-title">Documents à télécharger</h3>
      <ul className="plain">
        {documents.map(({ id, nom, octets, url }) => (
          <li key={id}>
            <a href={url} download>
              <span>{nom}</span>
              <span className="documents__size">{`PDF, ${formatBytes(octets)}`}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
