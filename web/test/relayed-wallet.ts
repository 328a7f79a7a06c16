import { SignClient } from '@walletconnect/sign-client';
import { createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** A wallet on another device: WalletConnect's own wallet code, with a local chain's key; its owner signs at once. */
export async function startRelayedWallet(relayUrl: string, projectId: string, rpcUrl: string, key: Hex) {
  const account = privateKeyToAccount(key);
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  const chain = `eip155:${await client.getChainId()}`;
  const metadata = { name: 'Phone', description: 'A test', url: 'http://127.0.0.1', icons: [] };
  const signer = await SignClient.init({ projectId, relayUrl, metadata, telemetryEnabled: false, logger: 'silent' });
  const wallet = { address: account.address, sent: [] as Hex[], declines: false };
  const declined = { code: 5000, message: 'User rejected.' };

  signer.on('session_proposal', ({ id, params }) => {
    if (wallet.declines) return void signer.reject({ id, reason: declined });
    const { methods = [], events = [] } = params.optionalNamespaces.eip155 ?? {};
    const accounts = [`${chain}:${account.address}`];
    void signer.approve({ id, namespaces: { eip155: { chains: [chain], accounts, methods, events } } });
  });
  signer.on('session_request', ({ id, topic, params }) => {
    const answer = (response: object) =>
      signer.respond({ topic, response: { id, jsonrpc: '2.0', ...response } as never });
    const { method, params: asked } = params.request;
    if (method !== 'eth_sendTransaction') return void answer({ error: { code: 4200, message: 'unsupported' } });
    if (wallet.declines) return void answer({ error: declined });
    const [{ to, data }] = asked as [{ to: Hex; data: Hex }];
    wallet.sent.push(to);
    void client.sendTransaction({ chain: null, to, data }).then((result) => answer({ result }));
  });
  return {
    wallet,
    scan: (uri: string) => signer.pair({ uri }),
    async stop() {
      await signer.core.relayer.transportClose();
      signer.core.heartbeat.stop();
    },
  };
}
