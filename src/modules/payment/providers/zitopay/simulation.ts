import type { ZitopaySettings } from './settings.ts';

/** Acts as the payer through the simulator's control routes. @throws Error when no simulator responds */
export async function playPayer(
  { baseUrl, timeoutMs }: ZitopaySettings,
  options: Record<string, string | number>,
  choice: 'success' | 'failure',
): Promise<void> {
  const decide = `/${encodeURIComponent(String(options.ref))}/${choice === 'success' ? 'approve' : 'decline'}`;
  for (const [path, body] of [
    ['', options],
    [decide, {}],
  ] as const) {
    const response = await fetch(`${baseUrl}/control/transactions${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the simulator answered ${response.status}`);
  }
}
