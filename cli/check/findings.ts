import type { ChainClient } from '@bowline/chain/chain-client';
import type { Finding } from '@bowline/chain/preflight';
import type { Asset } from '@bowline/core/domain/assets';
import { localChainId } from '@bowline/core/domain/chains';
import { RESCUE_GAS } from '@bowline/core/domain/lending';
import { bnb } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, zeroAddress } from 'viem';
import { swapExecutorAbi } from '../../abis/index.ts';

/** Our contracts, if they are recorded, and the BNB of who pays for their gas. */
export async function deploymentFindings(
  client: ChainClient,
  { own }: AddressBook,
  payers: readonly Address[],
): Promise<Finding[]> {
  const balances = await Promise.all(payers.map((address) => balanceFinding(client, 'payer', address)));
  if (own.swapExecutor === zeroAddress) return balances;
  const deployment = { check: 'deployment', without: 'Nothing runs: there are no contracts to call.' };
  try {
    const { swapExecutor: address } = own;
    const operator = await client.readContract({ address, abi: swapExecutorAbi, functionName: 'operator' });
    const found = `SwapExecutor ${address} is operated by ${operator}.`;
    return [{ ...deployment, ok: true, found }, await balanceFinding(client, 'operator', operator), ...balances];
  } catch {
    const found = 'SwapExecutor does not answer at its recorded address.';
    const remedy =
      'Set DEPLOYMENTS_DIR (or --deployments) to the folder of the record of what runs on this chain, or deploy: npx bowline deploy.';
    return [{ ...deployment, ok: false, found, remedy }, ...balances];
  }
}

async function balanceFinding(client: ChainClient, role: string, address: Address): Promise<Finding> {
  const check = `balance.${role}`;
  const without = 'What this account pays for is not sent.';
  const remedy = `Send BNB to ${address}: 0.05 pay for about 200 rescues at 0.05 gwei.`;
  try {
    const [wei, gasPriceWei] = await Promise.all([client.getBalance({ address }), client.getGasPrice()]);
    const holds = `${address} holds ${bnb(wei)}`;
    // As /ready has it of a running agent.
    const minWei = RESCUE_GAS * gasPriceWei;
    if (wei > 0n && wei >= minWei) return { check, ok: true, found: `${holds}.` };
    const found = `${holds}: one call may take ${bnb(minWei)} of gas.`;
    return { check, ok: false, found, without, remedy };
  } catch {
    return { check, ok: false, found: 'The node does not answer.', without, remedy };
  }
}

interface SourceOptions {
  /** URL, off, or empty for the chain's default. */
  readonly exchange: string;
  readonly pyth: string;
  /** For Pyth; empty if there is none. */
  readonly pythKey: string;
}

/** Whether the price sources that are not on the chain answer. */
export async function sourceFindings(
  { exchange, pyth, pythKey }: SourceOptions,
  assets: readonly Asset[],
  chainId: number,
): Promise<Finding[]> {
  const isLocal = chainId === localChainId;
  const local = 'http://127.0.0.1:4030';
  const exchangeUrl = exchange || (isLocal ? local : 'https://data-api.binance.vision');
  const pythUrl = pyth || (isLocal ? local : 'https://pyth.dourolabs.app/hermes');
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const id = assets.find(({ pythId }) => pythId !== undefined)?.pythId;
  if (pythKey !== '' && pythUrl !== 'off' && !isPrivate(new URL(pythUrl))) {
    throw new Error('--pyth must use https or be on this machine when PYTH_API_KEY is set.');
  }
  const found = [
    ...(exchangeUrl === 'off' || pair === undefined
      ? []
      : [
          reached('exchange', `${exchangeUrl}/api/v3/ticker/bookTicker?symbol=${pair}`, {
            without: 'Verdicts lack the exchange: few are GO, so few runs are made.',
            remedy: 'Check MARKET_DATA_URL and the way out of this machine.',
          }),
        ]),
    ...(pythUrl === 'off' || id === undefined
      ? []
      : [
          reached(
            'pyth',
            `${pythUrl}/v2/updates/price/latest?ids[]=${id}`,
            {
              without: 'Verdicts lack Pyth: fewer are GO.',
              remedy: 'Set PYTH_API_KEY to a key of Pyth, or PYTH_URL to off to do without.',
            },
            pythKey === '' ? {} : { authorization: `Bearer ${pythKey}` },
          ),
        ]),
  ];
  return Promise.all(found);
}

/** Whether nobody on the network can read a key that is sent there. */
const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname);

async function reached(
  check: string,
  url: string,
  lacking: { readonly without: string; readonly remedy: string },
  headers: Record<string, string> = {},
): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const { status } = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(5_000) });
    if (status === 200) return { check, ok: true, found: `${host} answers.` };
    return { check, ok: false, found: `${host} answers ${status}.`, ...lacking };
  } catch {
    return { check, ok: false, found: `${host} cannot be reached.`, ...lacking };
  }
}
