/** Timeout after which a form can be sent again, in ms. The same as for API requests. */
const timeoutMs = 30_000;

/**
 * Prevents a second submission of a plain form: its response, often a refusal because of the first submission, would replace the first
 * response. A page restored by Back or Forward can be submitted again.
 */
export function startSubmitOnce(): void {
  let sent = new WeakSet<EventTarget>();
  // On window, so that this listener runs after handlers that prevent the submission.
  addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.method !== 'post' || event.defaultPrevented) return;
    if (sent.has(form)) return event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), timeoutMs);
  });
  addEventListener('pageshow', () => {
    sent = new WeakSet();
  });
}
