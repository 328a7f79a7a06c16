import { connectChain } from '@bowline/chain/chain-client';
import { createSwapDrafter } from '@bowline/chain/drafts/swap';
import { erc20Abi } from '@bowline/chain/erc20-abi';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { createMarketReader } from '@bowline/chain/market-reader';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { createPriceReader } from '@bowline/chain/price-reader';
import { createSourcePriceReader } from '@bowline/chain/source-price-reader';
import type { MarketData } from '@bowline/core/domain/market-data';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { clock, timers } from '@bowline/http/clock';
import { encodeFunctionData, isAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from '../../../agent/src/process/hashing.ts';
import { createTicketSigner } from '../../../agent/src/process/ticket-signer.ts';
import { type CallTool, callTool } from '../../../agent/src/tools/call.ts';
import { tools } from '../../../agent/src/tools/index.ts';
import { createIssued } from '../../../agent/src/tools/issued.ts';
import { createDepths, createSharedAnswers } from '../../../agent/src/tools/shared.ts';
import type { ToolContext } from '../../../agent/src/tools/tool.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { localChainId } from '../../world/fork.ts';
import { priceUsd8 } from '../../world/prices.ts';

const question = { asset: 'BTCB', side: 'buy', amount_usd: '1000' };

const WAD = 10n ** 18n;
const priceWad = priceUsd8.BTCB * 10n ** 10n;
const HOUR = 3_600n;

/** At the chain's price; a week of hourly closes that move by 0.1 %. */
const exchangeInMemory: MarketData = {
  bookTicker: async () => ({ bidWad: priceWad, askWad: priceWad, answeredAt: clock() }),
  candles: async (_pair, _interval, count) => ({
    candles: Array.from({ length: count }, (_, at) => {
      const closeWad = (count - at) % 2 === 1 ? priceWad : (priceWad * 999n) / 1_000n;
      const openedAt = (clock() / HOUR - BigInt(count - 1 - at)) * HOUR;
      return { openedAt, openWad: closeWad, highWad: closeWad, lowWad: closeWad, closeWad, volumeWad: WAD };
    }),
    answeredAt: clock(),
  }),
};

export interface Asker {
  readonly call: CallTool;
  readonly question: typeof question;
  /** A verdict, read, judged and signed for itself. */
  readonly verdict: () => Promise<unknown>;
  /** A bare eth_call over the same kind of connection. */
  readonly bare: () => Promise<unknown>;
}

export interface Sharing {
  readonly newestBlock: () => bigint | undefined;
  /** Called for each reading of the chain. */
  readonly onReading: () => void;
}

/**
 * The agent's own path from question to answer, over a connection to the node. The exchange answers from memory; Pyth is off.
 * @param sharing for answers that are shared, as the agent's are; if omitted, each is made for itself.
 */
export function createAsker({ book }: DeployedChain, url: string, sharing?: Sharing): Asker {
  const client = connectChain(url);
  const assets = readAssetRegistry(localChainId, isAddress);
  const account = privateKeyToAccount(generatePrivateKey());
  const market = createMarketReader(connectChain(url, true), book, timers);
  const context: ToolContext = {
    assets,
    limitsOf: limitsOfAsset,
    chain: {
      facts: (...asked) => {
        sharing?.onReading();
        return market.facts(...asked);
      },
      ...createPriceReader(client, book),
      ...createSourcePriceReader(client),
      ...createPlanReader(client, book.own, assets),
      ...createGuardReader(client, book, account.address),
    },
    exchange: exchangeInMemory,
    clock,
    drafter: createSwapDrafter(client, book.pancake.router),
    hash: keccak256,
    tickets: createTicketSigner(account, localChainId, book.own.planRegistry),
    depths: createDepths(timers.now),
    ...(sharing && { issued: createIssued(), shared: createSharedAnswers({ ...sharing, now: timers.now }) }),
  };
  const call = callTool(tools, context, (error) => {
    throw error;
  });
  const verdict = async () => {
    const result = await call('check_asset', question);
    if (!result.ok) throw new Error(result.message);
    return result.value;
  };
  const to = assets[0]?.address ?? account.address;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account.address] });
  return { call, question, verdict, bare: () => client.call({ to, data }) };
}
