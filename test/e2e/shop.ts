import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Permit2PaymentPayload } from '@bnb-chain/b402';
import { PERMIT2_ADDRESS as permit2, x402ExactPermit2ProxyABI } from '@x402/evm';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { serveFacilitator } from '../../lab/world/facilitator.ts';
import { localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { answerOf, readFeeds } from '../../lab/world/market/feeds.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { type RpcProxy, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { serveB402 } from './b402-server.ts';
import { type HostileFacilitator, honest, type Settle, serveHostileFacilitator } from './hostile-facilitator.ts';
import { b402Spender, placePermit2 } from './permit2.ts';
import { servePyth } from './pyth.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';
import type { Offer } from './signed-payment.ts';

// An agent process that sells answers, on a local chain with the standard's facilitator. Between them stand a node and
// a facilitator that do what a test says.

/** Dollars, with 18 decimals. */
export const price = 20_000_000_000_000_000n;
const root = new URL('../../', import.meta.url);

export interface Shop {
  /** Below the project's root. */
  readonly folder: string;
  readonly chain: Chain;
  /** The agent's line to the chain. */
  readonly node: RpcProxy;
  readonly contracts: Contracts;
  readonly facilitator: HostileFacilitator;
  readonly agent: Sidecar;
  /** In the token that pays by EIP-3009 and, over B402, in USDT by Permit2. */
  readonly offers: { readonly authorised: Offer; readonly permitted: Offer };
  /** Starts the agent again. */
  start(settings?: Record<string, string>): Promise<void>;
  /** Sets how the facilitator handles this payer's payments. Default: honestly. */
  settles(payer: Address, settle: Settle): void;
  /** How often the facilitator was asked to settle a payment of this payer. */
  asked(payer: Address): number;
  held(owner: Address, token?: Address): Promise<bigint>;
  /** What this payer has transferred to the payee, counted in answers, by the chain's logs. */
  paidBy(payer: Address): Promise<number>;
  /** Accounts with funds in the token for this many answers. */
  newPayers(many: number, answers?: bigint): Promise<readonly PrivateKeyAccount[]>;
  /** The same in USDT, approved to Permit2. Each can send transactions of its own. */
  newPermitPayers(many: number, answers?: bigint): Promise<readonly PrivateKeyAccount[]>;
  /** `npx bowline show payments`. */
  ledger(): Promise<{ readonly code: number; readonly stdout: string }>;
  stop(): Promise<void>;
}

/**
 * @param name of its folder, which is deleted first.
 * @param rail over B402, USDT also pays by Permit2.
 */
export async function openShop(
  name: string,
  settings: Record<string, string> = {},
  rail: 'x402' | 'b402' = 'x402',
): Promise<Shop> {
  const folder = `.cache/deployments/${name}`;
  rmSync(new URL(folder, root), { recursive: true, force: true });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  const held = async <Part extends { stop(): Promise<unknown> }>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening;
    stops.push(() => part.stop());
    return part;
  };
  try {
    const pyth = await held(servePyth());
    const local = await held(startLocalChain({ blockSeconds: 0.45 }));
    const node = await held(startRpcProxy(local.url));
    const chain = connect(local.url);
    const contracts = await deployContracts(local.url, folder, new AbortController().signal, { maker: keeper });
    await placePermit2(chain);
    // Otherwise the feeds go stale, and without a verdict nothing is sold.
    await answerAgain(chain);
    const fresh = setInterval(() => void answerAgain(chain).catch(() => {}), 20_000);
    stops.push(async () => clearInterval(fresh));
    const real = await held(serveFacilitator(local.url, 0));
    const facilitator = await held(serveHostileFacilitator(real.url));
    const given = {
      RPC_URL: node.url,
      MARKET_DATA_URL: 'off',
      PYTH_URL: pyth.url,
      DEPLOYMENTS_DIR: folder,
      DATA_DIR: folder,
      PRICE_USD: '0.02',
      X402_FACILITATOR_URL: facilitator.url,
      ...settings,
    };
    const parts = { folder, local, node, chain, contracts, facilitator, stops, stop, given };
    return await opened(parts, rail === 'b402' ? (settle) => held(permitsOver(parts, settle)) : undefined);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Anvil's ninth account, which nobody else sends from. */
const publisher = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

/** Every feed repeats its last answer as of now. */
async function answerAgain(chain: Chain): Promise<void> {
  const [states, { timestamp }] = await Promise.all([readFeeds(chain), chain.getBlock()]);
  await chain.sendTogether(
    publisher,
    states.map((state) => answerOf(state, timestamp)),
  );
}

interface Parts extends Pick<Shop, 'folder' | 'chain' | 'node' | 'contracts' | 'facilitator' | 'stop'> {
  readonly local: { readonly url: string };
  readonly given: Record<string, string>;
  readonly stops: (() => Promise<unknown>)[];
}

type Permit = Permit2PaymentPayload['payload'];

/** B402 in front of the facilitator. `settle` applies each payer's way, hostile or honest, to the honest settlement. */
async function permitsOver(
  { chain, contracts, facilitator, given }: Parts,
  settle: (payload: Permit, honestly: () => Promise<unknown>) => Promise<unknown>,
) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = { clientId: 'bowline', accessToken: 'token-of-bowline' };
  const { name, version } = contracts.escrow.token;
  const callOf = ({ permit2Authorization: permit, signature }: Permit) => {
    const { permitted, from, nonce, deadline, witness: bound } = permit;
    const terms = { permitted: { ...permitted, amount: BigInt(permitted.amount) }, nonce: BigInt(nonce) };
    const args = [
      { ...terms, deadline: BigInt(deadline) },
      from,
      { to: bound.to, validAfter: BigInt(bound.validAfter) },
      signature,
    ] as const;
    return { abi: x402ExactPermit2ProxyABI, functionName: 'settle', args } as const;
  };
  const b402 = await serveB402({
    ...account,
    publicKey,
    facilitatorUrl: facilitator.url,
    network: `eip155:${localChainId}`,
    token: { name, version },
    signer: treasurer,
    permit2: {
      token: { name: 'Tether USD', version: '1' },
      spender: b402Spender,
      forgets: true,
      isSigned: (payload: Permit) =>
        chain.simulateContract({ address: b402Spender, account: treasurer, ...callOf(payload) }).then(
          () => true,
          () => false,
        ),
      settle: async (payload: Permit) => {
        const told = await settle(payload, async () => {
          const { transactionHash: transaction } = await chain.send(treasurer, b402Spender, callOf(payload));
          return { success: true, transaction };
        });
        return String((told as { transaction: string }).transaction);
      },
    },
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const { clientId: B402_CLIENT_ID, accessToken: B402_ACCESS_TOKEN } = account;
  const credentials = { B402_BASE_URL: b402.url, B402_CLIENT_ID, B402_ACCESS_TOKEN, B402_PRIVATE_KEY: key };
  Object.assign(given, { PAYMENT_RAIL: 'b402', PERMIT2_TOKENS: 'USDT', ...credentials });
  return b402;
}

async function opened(
  { local, given, stops, ...parts }: Parts,
  openB402?: (settle: Parameters<typeof permitsOver>[1]) => Promise<unknown>,
): Promise<Shop> {
  const { chain, contracts, facilitator, folder } = parts;
  const token = contracts.escrow.token.address;
  const ways = new Map<string, Settle>();
  const asked = new Map<string, number>();
  // The real facilitator sends from one key: two at once would use the same nonce.
  let last: Promise<unknown> = Promise.resolve();
  const settleFor = (given: string, body: string, settle: () => Promise<unknown>) => {
    const from = given.toLowerCase();
    asked.set(from, (asked.get(from) ?? 0) + 1);
    const inTurn = () => (last = last.then(settle, settle));
    return (ways.get(from) ?? honest)(body, inTurn);
  };
  facilitator.settle = (body, settle) =>
    settleFor(JSON.parse(body).paymentPayload.payload.authorization.from, body, settle);
  await openB402?.((payload, settle) => settleFor(payload.permit2Authorization.from, '', settle));

  let agent: Sidecar | undefined;
  let offers: Shop['offers'] | undefined;
  stops.push(async () => void (await agent?.stop()));
  async function start(changes: Record<string, string> = {}): Promise<void> {
    agent = await startSidecar({ ...given, ...changes });
    const { headers } = await fetch(`${agent.url}/x402`, { method: 'POST' });
    const required = JSON.parse(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString());
    const accepts = required.accepts as Offer[];
    const of = (asset: Address) => accepts.find((each) => each.asset === asset) as Offer;
    offers = { authorised: of(token), permitted: of(tokens.USDT) };
  }
  await start();

  const heldBy = (owner: Address, asset: Address = token) =>
    chain.readContract({ address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
  const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

  /** Many transfers in few blocks. */
  async function fund(asset: Address, holders: readonly Address[], amount: bigint): Promise<void> {
    const calls = holders.map((holder) => ({
      to: asset,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [holder, amount] }),
    }));
    const receipts = await chain.sendTogether(treasurer, calls);
    if (receipts.some(({ status }) => status !== 'success')) throw new Error('a payer was not funded');
  }
  const accounts = (many: number) => Array.from({ length: many }, () => privateKeyToAccount(generatePrivateKey()));

  return {
    ...parts,
    get agent() {
      return agent as Sidecar;
    },
    get offers() {
      return offers as Shop['offers'];
    },
    start,
    settles: (payer, settle) => void ways.set(payer.toLowerCase(), settle),
    asked: (payer) => asked.get(payer.toLowerCase()) ?? 0,
    held: heldBy,
    async paidBy(payer) {
      const args = { from: payer, to: (offers as Shop['offers']).authorised.payTo };
      const address = [token, tokens.USDT];
      const logs = await chain.getLogs({ address, event: transferAbi[0], args, strict: true, fromBlock: 0n });
      const sum = logs.reduce((all, log) => all + log.args.value, 0n);
      if (sum % price !== 0n) throw new Error('a part of an answer was paid');
      return Number(sum / price);
    },
    async newPayers(many, answers = 2n) {
      const made = accounts(many);
      await fund(
        token,
        made.map((each) => each.address),
        answers * price,
      );
      return made;
    },
    async newPermitPayers(many, answers = 2n) {
      const made = accounts(many);
      await fund(
        tokens.USDT,
        made.map((each) => each.address),
        answers * price,
      );
      await Promise.all(
        made.map(async ({ address }) => {
          await chain.impersonateAccount({ address });
          await chain.setBalance({ address, value: 10n ** 18n });
          await chain.send(address, tokens.USDT, {
            abi: erc20Abi,
            functionName: 'approve',
            args: [permit2, 2n ** 255n],
          });
        }),
      );
      return made;
    },
    async ledger() {
      const folders = ['--deployments', folder, '--data', given.DATA_DIR ?? ''];
      const args = ['cli/main.ts', 'show', 'payments', '--rpc', local.url, ...folders];
      const ran = promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(root) });
      return ran.then(
        ({ stdout }) => ({ code: 0, stdout }),
        (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
      );
    },
  };
}

/** Compiled code of a contract of the tests. */
export async function builtMock(name: string) {
  const build = ['lab/tools/foundry.mjs', 'forge', 'build', `test/mocks/${name}.sol`];
  await promisify(execFile)(process.execPath, build, { cwd: root });
  const { abi, bytecode } = JSON.parse(readFileSync(new URL(`out/${name}.sol/${name}.json`, root), 'utf8'));
  return { abi, bytecode: bytecode.object };
}
