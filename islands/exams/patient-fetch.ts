/** Time without a byte after which a response has failed, in ms. */
const silenceMs = 60_000;

/**
 * Fetches a whole file. It may take as long as it needs: over a slow network a paper of some megabytes takes minutes. A redirect, for example
 * to the sign-in page, is not the file.
 * @throws without network, or after a minute without a byte
 */
export async function patientFetch(url: string, options: RequestInit = {}): Promise<Response> {
  const silence = new AbortController();
  const wait = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = wait();
  try {
    const response = await fetch(url, { redirect: 'error', ...options, signal: silence.signal });
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      clearTimeout(timer);
      timer = wait();
      parts.push(part.value);
    }
    return new Response(new Blob(parts), response);
  } finally {
    clearTimeout(timer);
  }
}
