export interface CoverPicture {
  src: string;
  /** The picture in several widths; null if there is only one. */
  srcset: string | null;
  width: number;
  height: number;
}

/** Returns a discipline for cards, with its picture or else its initials. */
export const presentDisciplineCard = (
  { id, nom, description }: { id: number; nom: string; description: string },
  image: CoverPicture | null,
) => ({ id, nom, description, image, initials: initials(nom) });

/** Returns one to four capital letters for a cover without a picture. */
export function initials(nom: string): string {
  const words = nom.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  const first = words[0] ?? nom;
  if (/^\p{Lu}{2,4}$/u.test(first)) return first;
  return (
    words
      .slice(0, 2)
      .map((word) => word[0]?.toUpperCase() ?? '')
      .join('') || nom.slice(0, 1).toUpperCase()
  );
}
