import { said } from '../language.ts';
// How a wallet on another device is connected, in English.

export const pairingWords = said('pairingWords', {
  asking: 'Requesting a code',
  scan: 'Scan this code with your wallet, and approve the connection there.',
  code: 'QR code for your wallet',
  open: 'Open on this device',
  link: 'connection link',
  third:
    'Messages go through WalletConnect’s relay. It sees your IP address, the contracts you call and your transaction hashes.',
});
