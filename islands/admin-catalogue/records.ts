/** The common fields of prepas and disciplines in administrators' API responses. */
interface CatalogueRecord {
  id: number;
  nom: string;
  description: string;
  image_url: string | null;
  version: number;
}

export interface Prepa extends CatalogueRecord {
  /** Price in XAF. */
  prix: number;
  is_published: boolean;
}

export interface Discipline extends CatalogueRecord {
  prepa_concours_id: number;
}

export type Kind = 'prepa' | 'discipline';
export type AnyRecord = Prepa | Discipline;
