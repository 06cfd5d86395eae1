/** A prepa as administrators' calls answer it. `prix` in whole XAF. */
export interface Prepa {
  id: number;
  nom: string;
  description: string;
  prix: number;
  image_url: string | null;
  is_published: boolean;
  version: number;
}

/** A discipline as administrators' calls answer it. */
export interface Discipline {
  id: number;
  nom: string;
  description: string;
  image_url: string | null;
  prepa_concours_id: number;
  version: number;
}

export type Kind = 'prepa' | 'discipline';
export type AnyRecord = Prepa | Discipline;
