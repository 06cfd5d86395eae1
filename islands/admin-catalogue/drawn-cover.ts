/** Timeout of a drawing, in ms. */
const timeoutMs = 30_000;

/** Returns the cover that the server draws for a prepa of this name, as a file to upload, or the fault in French. */
export async function drawnCover(nom: string): Promise<File | string> {
  if (nom === '') return "Saisissez d'abord le nom : la couverture le montre.";
  try {
    const answer = await fetch(`/api/prepas/couverture?nom=${encodeURIComponent(nom)}`, { signal: AbortSignal.timeout?.(timeoutMs) });
    if (answer.ok) return new File([await answer.blob()], 'couverture.png', { type: 'image/png' });
    const { errors, message } = await answer.json();
    return errors?.[0]?.message ?? message ?? failed;
  } catch {
    return failed;
  }
}

const failed = "La couverture n'a pas pu être dessinée. Réessayez, ou choisissez un fichier.";
