/** The simulator refused the call, or was unreachable (`statusCode` 0). */
export class ControlError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ControlError';
    this.statusCode = statusCode;
  }
}

export type ControlCall = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

/** Returns a function that calls the control routes of the simulator at `baseUrl`. Throws {@link ControlError}, also on timeout. */
export function createControlCall(baseUrl: string, timeoutMs: number): ControlCall {
  return async (method, path, body) => {
    const url = new URL(`/control${path}`, baseUrl);
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(url, { method, signal: AbortSignal.timeout(timeoutMs), ...content }).catch((error) => {
      throw new ControlError(0, 'Simulateur de paiement injoignable.', error);
    });
    const text = await response.text();
    const value = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw new ControlError(response.status, String(value?.message ?? response.statusText));
    return value;
  };
}
