import { accessControls } from './access.ts';
import { accountControls } from './accounts.ts';
import { browserControls } from './browser.ts';
import type { Controls } from './control.ts';
import { inputControls } from './input.ts';
import { operationControls } from './operation.ts';
import { paymentControls } from './payment.ts';

/** By the names that docs/security.md gives them. `make check` holds each against its file and its test. */
export const controls: Controls = {
  ...inputControls,
  ...browserControls,
  ...accountControls,
  ...accessControls,
  ...paymentControls,
  ...operationControls,
};
