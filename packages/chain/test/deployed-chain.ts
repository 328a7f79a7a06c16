import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import { type Address, zeroAddress } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { accountAbstraction, tokens } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { deployOwn, keeper } from '../../../lab/world/deployment.ts';
import { localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { carol } from '../../../test/local/accounts.ts';

export interface DeployedChain {
  readonly url: string;
  readonly chain: Chain;
  readonly book: AddressBook;
  stop(): Promise<void>;
}

/**
 * A fork of the replica with this project's contracts on it. Each transaction mines a block.
 * @param forgets whether the node remembers only the last 30 blocks; a BNB Chain node remembers about a hundred.
 * @param operator of SwapExecutor; alice by default.
 * @param maker of a quote desk; without one there is no desk.
 */
export async function startDeployedChain({
  forgets = false,
  operator = keeper,
  maker,
}: {
  forgets?: boolean;
  operator?: Address;
  maker?: Address;
} = {}): Promise<DeployedChain> {
  const local = await startLocalChain(forgets ? { blockSeconds: 86_400 } : {});
  try {
    if (forgets) await connect(local.url).setAutomine(true);
    const own = await deployOwn(local.url, operator, undefined, maker);
    const recorded = withRecord({ chainId: localChainId, ...own }, (folder) => readAddressBook(localChainId, folder));
    const book = withAccountFactory(recorded, accountAbstraction.simpleAccountFactory);
    return { url: local.url, chain: connect(local.url), book, stop: () => local.stop() };
  } catch (error) {
    await local.stop();
    throw error;
  }
}

/** Runs `use` on a temporary folder that holds this record of a deployment on the local chain. */
export function withRecord<Answer>(record: unknown, use: (folder: URL) => Answer): Answer {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-deployment-'));
  try {
    writeFileSync(join(folder, `${localChainId}.json`), JSON.stringify(record));
    return use(pathToFileURL(`${folder}/`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Buys BTCB for 100 USDT in each hourly slot from `now` on, operated by SwapExecutor. */
export const planTerms = (own: AddressBook['own'], owner: Address, now: number) => ({
  owner,
  recipient: owner,
  executor: own.swapExecutor,
  verdictSigner: zeroAddress,
  tokenIn: tokens.USDT,
  tokenOut: tokens.BTCB,
  amountPerRun: 100n * 10n ** 18n,
  startAt: now,
  periodSeconds: 3600,
  windowSeconds: 1800,
  maxRuns: 10,
  expiresAt: now + 86_400,
  priceSource: own.chainlinkPriceSource,
  limitPriceWad: 0n,
  maxSlippageBps: 100,
  farLimit: false,
  triggerPriceWad: 0n,
});

/** Creates such a plan for carol, with changes to its terms, and returns its number. */
export async function createPlan({ chain, book }: DeployedChain, changes: object = {}): Promise<bigint> {
  const { timestamp } = await chain.getBlock();
  const terms = { ...planTerms(book.own, carol, Number(timestamp)), ...changes };
  const address = book.own.planRegistry;
  await chain.send(terms.owner, address, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
  return chain.readContract({ address, abi: planRegistryAbi, functionName: 'planCount' });
}
