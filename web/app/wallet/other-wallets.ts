import { safe } from 'wagmi/connectors/safe';
import { walletConnect } from 'wagmi/connectors/walletConnect';
import type { Settings } from '../api/settings.ts';

// Loaded for who uses one of them.

/** Tests without a browser's types read this file, too. */
const pageOrigin = () => (globalThis as unknown as { readonly location: { readonly origin: string } }).location.origin;

/** A wallet on another device, reached by a relay. */
export const viaRelay = ({ projectId, relay }: NonNullable<Settings['walletConnect']>) =>
  walletConnect({
    projectId,
    relayUrl: relay,
    metadata: { name: 'Bowline', description: 'Bowline', url: pageOrigin(), icons: [] },
    // The page shows the code itself: their window needs inline styles and other servers.
    showQrModal: false,
    telemetryEnabled: false,
  });

/** Of the Safe in whose web app the page is shown. */
export const inSafe = (origins: readonly string[]) =>
  safe({
    allowedDomains: origins.map((origin) => ({ test: (each: string) => each === origin }) as RegExp),
    unstable_getInfoTimeout: 5_000,
  });
