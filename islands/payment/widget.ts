import { texts } from './payment-state.ts';

/** The provider's widget, as its script leaves it in the page. */
export interface Widget {
  pay(options: Record<string, unknown>): unknown;
  closePopup?(): void;
}

/** What the server answers for a widget: its script, and what it is opened with. */
export interface WidgetOffer {
  script: string;
  options: Record<string, unknown>;
}

interface WidgetBrowser {
  loadScript(address: string): Promise<void>;
  widget(): Widget | undefined;
  showDialog(): void;
  hideDialog(): void;
}

interface WidgetHearer {
  /** False once the payer has gone on to something else. */
  current(): boolean;
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
export async function openWidget(browser: WidgetBrowser, { script, options }: WidgetOffer, hearer: WidgetHearer): Promise<void> {
  if (!browser.widget()) {
    const loaded = await browser.loadScript(script).then(
      () => true,
      () => false,
    );
    if (!hearer.current()) return;
    if (!loaded) return hearer.scriptFailed();
  }
  const widget = browser.widget();
  if (!widget) return hearer.broken(texts.unavailable);

  let over: 'done' | 'left' | null = null;
  const onDone = () => {
    if (over === 'done' || !hearer.current()) return;
    over = 'done';
    // The provider's own widget leaves its window open.
    widget.closePopup?.();
    browser.showDialog();
    hearer.done();
  };
  const onClose = () => {
    if (over || !hearer.current()) return;
    over = 'left';
    browser.showDialog();
    hearer.left();
  };
  hearer.opening();
  browser.hideDialog();
  try {
    const reason = widget.pay({ ...options, onDone, onClose });
    if (typeof reason !== 'string') return;
    browser.showDialog();
    hearer.refused(failure(reason));
  } catch (error) {
    browser.showDialog();
    hearer.broken(failure(error instanceof Error ? error.message : String(error)));
  }
}

const failure = (reason: string): string => `Erreur lors du paiement: ${reason}`;
