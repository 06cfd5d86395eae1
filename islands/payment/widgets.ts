import type { Widget } from './checkout-contract.ts';

declare global {
  interface Window {
    Zitopay?: Widget;
  }
}

/** The widget whose script the page has loaded; the browser's registry of those providers that have one. */
export const loadedWidget = (): Widget | undefined => window.Zitopay;
