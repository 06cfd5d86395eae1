import { type Check, good, notice } from '../check.ts';

export const shutdown: Check = {
  name: 'Arrêt du serveur',
  look({ kernel: { config } }) {
    const { shutdownTimeoutMs, shutdownDrainMs } = config;
    if (shutdownDrainMs <= shutdownTimeoutMs / 2)
      return good(`en ${shutdownTimeoutMs} ms au plus, dont ${shutdownDrainMs} ms pour le répartiteur`);
    return notice(
      `SHUTDOWN_DRAIN_MS (${shutdownDrainMs}) dépasse la moitié de SHUTDOWN_TIMEOUT_MS (${shutdownTimeoutMs}), qui seule compte`,
      `réglez SHUTDOWN_TIMEOUT_MS à ${2 * shutdownDrainMs} au moins, et le gestionnaire de services à davantage`,
    );
  },
};
