import type { CheckoutBrowser, WidgetOffer } from './checkout-contract.ts';
import { texts } from './payment-state.ts';

interface WidgetHandlers {
  /** Returns false once the payer has started something else. */
  isCurrent(): boolean;
  scriptFailed(): void;
  /** Called before the widget replaces the dialog. */
  opening(): void;
  refused(message: string): void;
  /** The widget could not be shown, for example if its pop-up was blocked. The provider's own page may still work. */
  broken(message: string): void;
  /** The widget reports the end of the payment, successful or not. Called once. */
  done(): void;
  /** The widget was closed, which does not tell the payment's result. Called once, and not after `done`. */
  left(): void;
}

/** Opens the provider's widget and hides the dialog: a modal dialog above the widget would make it inert. */
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
    // The provider's widget does not close itself.
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
