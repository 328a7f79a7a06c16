import { type Address, createPublicClient, encodeFunctionData, http, pad, parseEther, zeroAddress } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { introduce, stranger } from '../../agent/test/loans.ts';
import { comptrollerAbi, erc20Abi, faucetAbi, vTokenAbi } from '../../lab/world/abis.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { type TokenSymbol, tokens, venus } from '../../lab/world/addresses.ts';
import { startBundler } from '../../lab/world/bundler.ts';
import { connect, type EncodedCall } from '../../lab/world/chain.ts';
import { startLocalChain } from '../../lab/world/fork.ts';
import { startMarket } from '../../lab/world/market/market.ts';
import { createPath } from '../../lab/world/market/path.ts';
import { serveMarket } from '../../lab/world/market/server.ts';
import { publicKeys } from '../../lab/world/start/agent-keys.ts';
import { deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { freePort } from '../local/free-port.ts';

// A chain in real time with a living market, as `npm start` has it, and plans and guarded loans on it.

const blockSeconds = 0.45;
const { vETH, vUSDT } = venus.markets;
const fortune = parseEther('100000000');

export type Living = Awaited<ReturnType<typeof startLiving>>;
export interface Run {
  readonly time: number;
  readonly outcome: 'executed' | 'deferred';
  readonly slotStart: number;
}

interface Bought {
  readonly buys: TokenSymbol;
  /** Whole USDT for each run. */
  readonly amount: string;
  readonly periodSeconds: number;
  readonly startAt: number;
}

/** @param folder for the deployment record, from the project's own. */
export async function startLiving(folder: string, report: (trouble: string) => void) {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    const local = await startLocalChain({ blockSeconds });
    stops.push(local.stop);
    const chain = connect(local.url);
    // Within an hour anvil may leave a request unanswered, which must not end the test.
    const reader = createPublicClient({ transport: http(local.url, { timeout: 10_000, retryCount: 3 }) });
    const wallet = await walletOf(chain, keeper);
    const own = await deployContracts(local.url, folder, new AbortController().signal, { operator: wallet });
    for (const address of [wallet, keeper, publicKeys.rescuer.address])
      await chain.setBalance({ address, value: parseEther('1000') });
    const clock = () => Date.now() / 1000;
    const path = createPath(1, clock());
    const market = await startMarket({ rpcUrl: local.url, path, clock, report });
    stops.push(market.stop);
    const server = await serveMarket(market, path, clock, 0);
    stops.push(server.stop);
    const bundler = await startBundler(local.url, await freePort());
    stops.push(bundler.stop);

    const sendAll = async (from: Address, calls: readonly EncodedCall[]) => {
      const receipts = await chain.sendTogether(from, calls);
      const at = receipts.findIndex(({ status }) => status !== 'success');
      if (at !== -1) throw new Error(`Call ${at + 1} of ${from} reverted.`);
      return receipts;
    };
    const registry = { address: own.planRegistry, abi: planRegistryAbi } as const;
    const guards = { address: own.loanGuard, abi: loanGuardAbi } as const;
    /** By guard. */
    const borrowers = new Map<bigint, Address>();
    let accounts = 0;

    /** A new account with tokens that plans and guards may take. */
    async function newcomer(): Promise<Address> {
      const address = stranger(accounts++);
      await introduce(chain, address);
      await sendAll(address, [
        call(tokens.USDT, faucetAbi, 'allocateTo', [address, fortune]),
        approve('USDT', own.planRegistry),
        approve('USDT', own.loanGuard),
      ]);
      return address;
    }

    return {
      chain,
      own,
      path,
      market,
      marketUrl: server.url,
      bundlerUrl: bundler.url,
      stop,
      rescuerKey: publicKeys.rescuer.key,

      /** A loan of USDT on ten ETH at a health of 1.25, with a guard that triggers at 1.1 and restores 1.25. */
      async guardedLoan(): Promise<bigint> {
        const borrower = await newcomer();
        const { timestamp } = await chain.getBlock();
        const deposit = parseEther('10');
        await sendAll(borrower, [
          call(tokens.ETH, faucetAbi, 'allocateTo', [borrower, deposit]),
          approve('ETH', vETH),
          call(vETH, vTokenAbi, 'mint', [deposit]),
          call(venus.comptroller, comptrollerAbi, 'enterMarkets', [[vETH]]),
        ]);
        await sendAll(borrower, [await borrowing(borrower, '1.25')]);
        const terms = {
          borrower,
          funder: borrower,
          adapter: own.venusMarket,
          market: pad(vUSDT),
          keeper: zeroAddress,
          priceSource: zeroAddress,
          triggerHealthWad: parseEther('1.1'),
          targetHealthWad: parseEther('1.25'),
          capPerRescue: fortune,
          capPerDay: fortune,
          minRepay: parseEther('10'),
          cooldownSeconds: 0,
          expiresAt: Number(timestamp) + 86_400,
        };
        await sendAll(borrower, [call(own.loanGuard, loanGuardAbi, 'register', [terms])]);
        const guardId = await chain.readContract({ ...guards, functionName: 'guardCount' });
        borrowers.set(guardId, borrower);
        return guardId;
      },

      /** The borrower borrows more, until the health is 1.05. */
      async fall(guardId: bigint): Promise<void> {
        const borrower = borrowers.get(guardId) as Address;
        await sendAll(borrower, [await borrowing(borrower, '1.05')]);
      },

      /** An account whose USDT plans may take. */
      owner: newcomer,

      /** A plan that pays USDT. @param startAt of its first slot, unix seconds. */
      async plan(owner: Address, { buys, amount, periodSeconds, startAt }: Bought): Promise<bigint> {
        const terms = {
          owner,
          recipient: owner,
          executor: own.swapExecutor,
          verdictSigner: zeroAddress,
          tokenIn: tokens.USDT,
          tokenOut: tokens[buys],
          amountPerRun: parseEther(amount),
          startAt,
          periodSeconds,
          windowSeconds: periodSeconds,
          maxRuns: 1_000_000,
          expiresAt: startAt + 86_400,
          priceSource: own.chainlinkPriceSource,
          limitPriceWad: 0n,
          maxSlippageBps: 100,
          farLimit: false,
          triggerPriceWad: 0n,
        };
        await sendAll(owner, [call(own.planRegistry, planRegistryAbi, 'create', [terms])]);
        return reader.readContract({ ...registry, functionName: 'planCount' });
      },

      /** Runs and deferrals, oldest first. */
      async runs(planId: bigint): Promise<readonly Run[]> {
        const records = await reader.readContract({ ...registry, functionName: 'runs', args: [planId, 0n, 10_000n] });
        return records.map(({ time, outcome, slotStart }) => ({
          time,
          slotStart,
          outcome: outcome === 1 ? 'executed' : 'deferred',
        }));
      },

      rescues: (guardId: bigint) =>
        reader.readContract({ ...guards, functionName: 'rescues', args: [guardId, 0n, 10_000n] }),

      /** The loans of these guards that a rescue would help now, as the contract says. */
      async due(guardIds: readonly bigint[]): Promise<readonly bigint[]> {
        const { result } = await reader.simulateContract({
          ...guards,
          functionName: 'rescueMany',
          args: [guardIds, 0n],
          account: publicKeys.rescuer.address,
          gas: 100_000_000n,
        });
        return guardIds.filter((_, at) => result[at]?.isRescued);
      },
    };

    async function borrowing(borrower: Address, health: string): Promise<EncodedCall> {
      const [[, left], owed] = await Promise.all([
        reader.readContract({
          address: venus.comptroller,
          abi: comptrollerAbi,
          functionName: 'getAccountLiquidity',
          args: [borrower],
        }),
        reader.readContract({ address: vUSDT, abi: vTokenAbi, functionName: 'borrowBalanceStored', args: [borrower] }),
      ]);
      const amount = ((left + owed) * parseEther('1')) / parseEther(health) - owed;
      return call(vUSDT, vTokenAbi, 'borrow', [amount]);
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

const call = (to: Address, abi: object, functionName: string, args: readonly unknown[]): EncodedCall => ({
  to,
  data: encodeFunctionData({ abi, functionName, args } as never),
});

const approve = (symbol: TokenSymbol, spender: Address): EncodedCall =>
  call(tokens[symbol], erc20Abi, 'approve', [spender, 2n ** 255n]);
