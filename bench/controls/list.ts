import { accessControls } from './access.ts';
import { accountControls } from './accounts.ts';
import { administratorControls } from './administrators.ts';
import { browserControls } from './browser.ts';
import type { Controls } from './control.ts';
import { databaseControls } from './database.ts';
import { inputControls } from './input.ts';
import { offlineControls } from './offline.ts';
import { operationControls } from './operation.ts';
import { paymentControls } from './payment.ts';
import { pictureControls } from './pictures.ts';
import { sessionControls } from './sessions.ts';

/** All controls by their names in docs/security.md. `make check` checks each against its source file and its test. */
export const controls: Controls = {
  ...inputControls,
  ...browserControls,
  ...accountControls,
  ...sessionControls,
  ...administratorControls,
  ...accessControls,
  ...pictureControls,
  ...offlineControls,
  ...paymentControls,
  ...operationControls,
  ...databaseControls,
};
