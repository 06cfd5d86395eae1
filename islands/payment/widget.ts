import type { CheckoutBrowser, WidgetOffer } from './checkout-contract.ts';
import { texts } from './payment-state.ts';

interface WidgetHandlers {
  /** False once the payer has gone on to something else. */
  isCurrent(): boolean;
  scriptFailed(): void;
  /** The widget is about to take the dialog's place. */
  opening(): void;
  refused(message: string): void;
  /** It cannot be shown here, its pop-up blocked for instance; the provider's own page may still do. */
  broken(message: string): void;
  /** The widget says that the payment is over, one way or the other: told once. */
  done(): void;
  /** Its window was closed, which says nothing about the payment: told once, and not after `done`. */
  left(): void;
}

/** Opens the provider's widget in place of the dialog: of two modal windows, the upper one leaves the lower one dead. */
export async function openWidget(browser: CheckoutBrowser, { script, options }: WidgetOffer, handlers: WidgetHandlers): Promise<void> {
  if (!browser.widget()) {
    const loaded = await browser.loadScript(script).then(
      () => true,
      () => false,
    );
    if (!handlers.isCurrent()) return;
    if (!loaded) return handlers.scriptFailed();
  }
  const widget = browser.widget();
  if (!widget) return handlers.broken(texts.unavailable);

  let over: 'done' | 'left' | null = null;
  const onDone = () => {
    if (over === 'done' || !handlers.isCurrent()) return;
    over = 'done';
    // The provider's own widget leaves its window open.
    widget.closePopup?.();
    browser.showDialog();
    handlers.done();
  };
  const onClose = () => {
    if (over || !handlers.isCurrent()) return;
    over = 'left';
    browser.showDialog();
    handlers.left();
  };
  handlers.opening();
  browser.hideDialog();
  try {
    const reason = widget.pay({ ...options, onDone, onClose });
    if (typeof reason !== 'string') return;
    browser.showDialog();
    handlers.refused(failure(reason));
  } catch (error) {
    browser.showDialog();
    handlers.broken(failure(error instanceof Error ? error.message : String(error)));
  }
}

const failure = (reason: string): string => `Erreur lors du paiement: ${reason}`;
