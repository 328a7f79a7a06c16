import {
  type Abi,
  type Address,
  concat,
  createClient,
  custom,
  decodeAbiParameters,
  decodeFunctionResult,
  type Hex,
  keccak256,
  pad,
  publicActions,
  size,
  slice,
  toHex,
  zeroAddress,
} from 'viem';
import { revocationsAbi } from '../../abis/index.ts';
import { startAnvil } from '../world/anvil.ts';
import { type Call, type Contract, callOf, type Deployer, deployerOf, errors, gas, preparedOf } from './deployer.ts';
import { deployMoolah } from './moolah.ts';
import { createPool } from './pool.ts';

// One anvil with the project's contracts, and stand-ins for what they read: tokens, feeds and Venus, whose numbers can be
// set to the unit. PancakeSwap's pool is the real one, and Lista's code is Morpho's. One eth_simulateV1 plays a case there:
// blocks at chosen times, with calls from anybody. Nothing of it persists.

/** What a call did: its value, or the contract's error. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly name: string; readonly args: readonly unknown[] };

interface Block {
  readonly time: bigint;
  readonly words: Word[];
  readonly calls: Call[];
}

interface Result {
  readonly status: Hex;
  readonly returnData: Hex;
}
type Results = readonly { readonly calls: readonly Result[] }[];

interface Word {
  readonly address: Address;
  readonly slot: Hex;
  readonly value: bigint;
}

const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** Makes the call in its calldata, then reverts with the outcome, so that the effects are undone. */
const trying = '0x602036038060205f375f5f825f5f5f355af15f523d5f60203e3d6020015ffd';
/** Runs its calldata as creation code, and returns the resulting code: eth_simulateV1 creates nothing itself. */
const creating = '0x365f5f37365f5ff0806013573d5f5f3e3d5ffd5b803b805f5f843c5ff3';
/** ERC-1271 approval of any signature. */
const consenting = '0x631626ba7e60e01b5f5260205ff3';

const account = (digit: string): Address => `0x${digit.repeat(40)}`;
const creator = account('9');
/** The last two approve any signature. */
export const [owner, otherOwner, keeper, stranger, signer, funder] = ['3', '4', '5', '6', '7', '8'].map(account) as [
  ...[Address, Address, Address, Address, Address, Address],
];

/** Decimals of the tokens; feeds have 8. */
export const decimals = { USDT: 18, BTCB: 18, USDC: 6 } as const;
export type TokenSymbol = keyof typeof decimals;
export const symbols = Object.keys(decimals) as TokenSymbol[];

export type Stage = Awaited<ReturnType<typeof startStage>>;

export async function startStage() {
  const anvil = await startAnvil(['--timestamp', '1', '--base-fee', '0', '--gas-price', '0']);
  const by = deployerOf(anvil.url);
  const { chain, request, deploy, transact } = by;
  const each = async <Made>(make: (symbol: TokenSymbol) => Promise<Made>) =>
    Object.fromEntries(await inTurn(symbols, async (symbol) => [symbol, await make(symbol)])) as Record<
      TokenSymbol,
      Made
    >;
  const tokens = await each((symbol) => deploy('MockERC20', [symbol, decimals[symbol]]));
  const feeds = await each(() => deploy('MockFeed', [8]));
  const configs = symbols.map((symbol) => {
    const [token, feed] = [tokens[symbol].address, feeds[symbol].address];
    return { token, feed, maxAgeSeconds: 2 ** 31, bandDecimals: 2, bandMin: 1, bandMax: 2 ** 24 - 1 };
  });
  const chainlink = await deploy('ChainlinkPriceSource', [configs]);
  const otherSource = await deploy('MockPriceSource');
  const oracle = await deploy('MockVenusOracle');
  const comptroller = await deploy('MockComptroller', [oracle.address]);
  const vTokens = await each((symbol) => deploy('MockVToken', [tokens[symbol].address]));
  const venus = await deploy('VenusMarket', [comptroller.address, account('1'), account('2')]);
  const revocations = { ...(await deploy('Revocations')), abi: revocationsAbi as Abi };
  const lista = await deployMoolah(by, tokens.USDT, tokens.BTCB);
  const adapters = [venus.address, lista.adapter.address];
  const guards = await deploy('LoanGuard', [revocations.address, adapters, [chainlink.address]]);
  const pool = await createPool(by, tokens.BTCB, tokens.USDT);
  const venusCollateral = await deploy('VenusCollateral', [comptroller.address, account('1'), account('2')]);
  const rules = [pool.deployer.address, [venusCollateral.address], [chainlink.address]] as const;
  const saleRules = await deploy('CollateralTerms', rules);
  const sales = await deploy('CollateralGuard', [revocations.address, saleRules.address]);
  const registry = await deploy('PlanRegistry', [revocations.address, guards.address, [chainlink.address]]);
  const executor = await deploy('TestExecutor', [registry.address]);
  const otherExecutor = await deploy('TestExecutor', [registry.address]);
  const codes: Record<Address, Hex> = {
    [creator]: creating,
    [keeper]: trying,
    [stranger]: trying,
    [signer]: consenting,
    [funder]: consenting,
  };
  for (const [address, bytecode] of Object.entries(codes))
    await chain.setCode({ address: address as Address, bytecode });
  for (const each of Object.values(vTokens)) {
    await transact(comptroller, 'list', each.address, true);
    await transact(each, 'setComptroller', comptroller.address);
  }
  return {
    ...{
      request,
      tokens,
      feeds,
      chainlink,
      otherSource,
      oracle,
      comptroller,
      vTokens,
      venus,
      venusCollateral,
      lista,
      pool,
    },
    ...{ revocations, guards, sales, registry, executor, otherExecutor },
    stop: anvil.stop,
  };
}

async function inTurn<Item, Made>(items: readonly Item[], make: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

/** Collects blocks to play. Outcomes are known once they have been played. */
export function createScene({ request, tokens, feeds }: Pick<Stage, 'request' | 'tokens' | 'feeds'>) {
  const blocks: Block[] = [];
  let results: Results = [];

  function send(call: Call): () => { readonly ok: boolean; readonly data: Hex } {
    const [block, at] = [blocks.length - 1, blocks.at(-1)?.calls.push(call) ?? 0];
    return () => {
      const result = results[block]?.calls[at - 1];
      if (result === undefined) throw new Error('The scene has not been played.');
      return { ok: result.status === '0x1', data: result.returnData };
    };
  }

  const put = (address: Address, slot: Hex, value: bigint) => void blocks.at(-1)?.words.push({ address, slot, value });

  return {
    put,
    /** Begins a block. @param time above the previous block's. */
    at: (time: bigint) => void blocks.push({ time, words: [], calls: [] }),
    send,
    /** A call whose effects stay. @returns its outcome. */
    call(from: Address, contract: Contract, functionName: string, ...args: unknown[]): () => Outcome {
      const sent = send(callOf(from, contract, functionName, ...args));
      return () => outcomeOf(sent(), contract, functionName);
    },
    /** The same without effects. @param from an account that has the code for it. */
    attempt(from: Address, contract: Contract, functionName: string, ...args: unknown[]): () => Outcome {
      const { input } = callOf(from, contract, functionName, ...args);
      const sent = send({ from, to: from, input: concat([pad(contract.address), input]) });
      return () => {
        const { data } = sent();
        const made = size(data) > 32 ? slice(data, 32) : '0x';
        return outcomeOf({ ok: BigInt(slice(data, 0, 32)) === 1n, data: made }, contract, functionName);
      };
    },
    /** Set at the beginning of the block: an account's balance and allowance, and a feed's answer. */
    setFunds(symbol: TokenSymbol, holder: Address, spender: Address, { balance, allowance }: Funded) {
      put(tokens[symbol].address, slotOf(holder, word(0n)), balance);
      put(tokens[symbol].address, slotOf(spender, slotOf(holder, word(1n))), allowance);
    },
    setAnswer(symbol: TokenSymbol, usd8: bigint) {
      put(feeds[symbol].address, word(0n), usd8);
      put(feeds[symbol].address, word(1n), 1n);
    },
    /** A client that reads the state at this moment, regardless of later blocks. */
    reader() {
      const before = blocks.map((block) => ({ ...block, calls: [...block.calls] }));
      return createReader(async (calls) => {
        const last = before.at(-1) as Block;
        const played = await play(request, [...before.slice(0, -1), { ...last, calls: [...last.calls, ...calls] }]);
        return played.at(-1)?.calls.slice(last.calls.length) ?? [];
      });
    },
    async play(): Promise<void> {
      results = await play(request, blocks);
    },
  };
}

function play(request: Deployer['request'], blocks: readonly Block[]): Promise<Results> {
  const blockStateCalls = blocks.map(({ time, words, calls }) => ({
    blockOverrides: { time: toHex(time) },
    stateOverrides: overrides(words),
    calls: calls.map((call) => ({ ...call, gas })),
  }));
  const params = [{ blockStateCalls, validation: false }, 'latest'];
  return request({ method: 'eth_simulateV1', params });
}

/** Plays requests of one moment together: no read here changes what another call reads. */
function createReader(played: (calls: readonly Call[]) => Promise<readonly Result[]>) {
  let waiting: { readonly call: Call; readonly answer: (result: Result) => void }[] = [];
  const flush = async () => {
    const asked = waiting;
    waiting = [];
    const results = await played(asked.map(({ call }) => call));
    for (const [at, { answer }] of asked.entries()) answer(results[at] as Result);
  };
  const request = async ({ params }: { readonly params?: unknown }): Promise<Hex> => {
    const [{ from = nobody, to = creator, data }] = params as [{ from?: Address; to?: Address; data: Hex }];
    const { promise, resolve } = Promise.withResolvers<Result>();
    if (waiting.push({ call: { from, to, input: data }, answer: resolve }) === 1) setImmediate(flush);
    const { status, returnData } = await promise;
    if (status === '0x1') return returnData;
    throw Object.assign(new Error('execution reverted'), { code: 3, data: returnData });
  };
  return createClient({ transport: custom({ request }, { retryCount: 0 }) }).extend(publicActions);
}

export type Scene = ReturnType<typeof createScene>;

interface Funded {
  readonly balance: bigint;
  readonly allowance: bigint;
}

const slots = new Map<string, Hex>();

/** Storage slot of an account in a mapping. */
function slotOf(key: Address, slot: Hex): Hex {
  const place = concat([pad(key), slot]);
  const found = slots.get(place) ?? keccak256(place);
  slots.set(place, found);
  return found;
}

function overrides(words: readonly Word[]) {
  const of: Record<Address, { stateDiff: Record<Hex, Hex> }> = {};
  for (const { address, slot, value } of words) {
    of[address] ??= { stateDiff: {} };
    of[address].stateDiff[slot] = word(value);
  }
  return of;
}

function outcomeOf({ ok, data }: { ok: boolean; data: Hex }, { abi }: Contract, functionName: string): Outcome {
  if (ok) return { ok, value: decodeFunctionResult({ abi: preparedOf(abi, functionName).abi, functionName, data }) };
  if (data === '0x') return { ok, name: 'nothing', args: [] };
  const error = errors.get(slice(data, 0, 4));
  if (error === undefined) return { ok, name: data, args: [] };
  return { ok, name: error.name, args: size(data) > 4 ? decodeAbiParameters(error.inputs, slice(data, 4)) : [] };
}

/** The value of a call that must succeed. */
export function answerOf<Value>(outcome: Outcome): Value {
  if (outcome.ok) return outcome.value as Value;
  throw new Error(`The stage refused a call: ${outcome.name}(${outcome.args.join(', ')})`);
}

export const nobody: Address = zeroAddress;
