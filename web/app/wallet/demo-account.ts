import { createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** anvil's fourth account, the demo owner of `npm start`. It is worthless everywhere, because its key is public. */
const KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const LOCAL_CHAIN_ID = 31_337;

/** Signs for the demo owner, on the local chain only. */
export function createDemo(rpcUrl: string) {
  const account = privateKeyToAccount(KEY);
  const client = createWalletClient({ account, transport: http(rpcUrl) });

  /** @throws if the node is on another chain, no matter what the page was built for. */
  async function assertLocal(): Promise<void> {
    if ((await client.getChainId()) !== LOCAL_CHAIN_ID)
      throw new Error('The demo wallet is for the local chain alone.');
  }

  return {
    address: account.address,
    assertLocal,
    forward: (method: string, params: readonly unknown[]) => client.request({ method, params } as never),
    async send({
      to,
      data,
      value = '0x0',
    }: {
      readonly to: Hex;
      readonly data: Hex;
      readonly value?: Hex;
    }): Promise<Hex> {
      await assertLocal();
      const request = await client.prepareTransactionRequest({ chain: null, to, data, value: BigInt(value) });
      // The signature itself names the chain, so no other chain accepts it.
      const signed = await account.signTransaction({ ...request, chainId: LOCAL_CHAIN_ID } as never);
      return client.sendRawTransaction({ serializedTransaction: signed });
    },
  };
}
