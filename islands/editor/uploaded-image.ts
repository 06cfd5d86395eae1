/** What became of a picture: where it is stored, or a French sentence that says why it is not. */
export type UploadedImage = { src: string; width: number | null; height: number | null } | { fault: string };
