import { withTimeout } from 'viem';
import type { CreateConnectorFn } from 'wagmi';
import { safe } from 'wagmi/connectors/safe';
import { walletConnect } from 'wagmi/connectors/walletConnect';
import type { Settings } from '../api/settings.ts';

// Loaded only when one of these wallets is used.

/** Tests without browser types also read this file. */
const pageOrigin = () => (globalThis as unknown as { readonly location: { readonly origin: string } }).location.origin;

/** How long the relay may take to tell the wallet that its session has ended. */
const tellMs = 3_000;

/** A wallet on another device, reached through a relay. */
export const viaRelay =
  ({ projectId, relay }: NonNullable<Settings['walletConnect']>): CreateConnectorFn =>
  (config) => {
    const connector = walletConnect({
      projectId,
      relayUrl: relay,
      metadata: { name: 'Bowline', description: 'Bowline', url: pageOrigin(), icons: [] },
      // The page shows the QR code itself: WalletConnect's window needs inline styles and other servers.
      showQrModal: false,
      telemetryEnabled: false,
    })(config);
    const endSession = connector.disconnect.bind(connector);
    return Object.assign(connector, {
      /** Ends the session here even if the wallet cannot be told. */
      async disconnect() {
        await withTimeout(endSession, { timeout: tellMs }).catch(() => undefined);
        connector.setRequestedChainsIds([]);
      },
    });
  };

/** The connector of the Safe whose web app shows the page. */
export const inSafe = (origins: readonly string[]) =>
  safe({
    allowedDomains: origins.map((origin) => ({ test: (each: string) => each === origin }) as RegExp),
    unstable_getInfoTimeout: 5_000,
  });
