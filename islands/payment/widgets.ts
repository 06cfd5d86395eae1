import type { Widget } from './checkout-contract.ts';

declare global {
  interface Window {
    Zitopay?: Widget;
  }
}

/** Returns the widget whose script is loaded. Lists the global variables of all providers' widgets. */
export const loadedWidget = (): Widget | undefined => window.Zitopay;
