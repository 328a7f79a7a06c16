import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Address, getAddress, getContractAddress, type Hex, slice } from 'viem';
import { deterministicDeployer } from './account-abstraction.ts';
import { connect } from './chain.ts';
import { localChainId, startLocalChain } from './fork.ts';
import { kept } from './kept.ts';
import { treasurer } from './replica.ts';
import { machineSettings } from './start/environment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Anvil's second account, whose key the agent has on a local chain. It makes the desk's quotes, too. */
export const keeper: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Anvil's third, which can only name the next operator. */
const rotator: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

/** In the order of the struct that script/Deploy.s.sol answers with. */
const names = [
  'revocations',
  'venusMarket',
  'loanGuard',
  'venusPriceSource',
  'chainlinkPriceSource',
  'planRegistry',
  'swapExecutor',
  'quoteDesk',
] as const;

/** Where this project's contracts stand. */
export type OwnContracts = Record<(typeof names)[number], Address>;

interface Deployment {
  readonly contracts: OwnContracts;
  /** Salt and creation code, for the deterministic deployer, one contract each. */
  readonly creations: readonly Hex[];
}

const sources = [
  'contracts',
  'script/Deploy.s.sol',
  'script/Bsc.sol',
  'script/BscTestnet.sol',
  'script/Contracts.sol',
  'packages/core/registry/feeds.json',
  'foundry.toml',
  'tools/solc.mjs',
];

/**
 * Puts this project's contracts on a local chain, as script/Deploy.s.sol does: forge is asked once what it would send, and
 * that is sent. A contract that already stands is left as it is.
 * @param operator of SwapExecutor.
 * @param maker whose quotes the desk honours.
 * @throws what forge said, when it fails.
 */
export async function deployOwn(
  rpcUrl: string,
  operator: Address,
  signal?: AbortSignal,
  maker: Address = keeper,
): Promise<OwnContracts> {
  const setting = [localChainId, operator, maker].join();
  const path = await kept('deployment', [...sources, 'script/local/deployment.ts'], setting, async () =>
    JSON.stringify(await planned(operator, maker, signal)),
  );
  const { contracts, creations } = JSON.parse(readFileSync(path, 'utf8')) as Deployment;
  const chain = connect(rpcUrl);
  for (const creation of creations) {
    const address = createdBy(creation);
    if ((await chain.getCode({ address })) !== undefined) continue;
    await chain.sendRaw(treasurer, deterministicDeployer, creation);
    if ((await chain.getCode({ address })) === undefined) throw new Error(`Nothing was created at ${address}.`);
  }
  return contracts;
}

/** What the script would send to a chain on which none of the contracts stands, which is one of its own. */
async function planned(operator: Address, maker: Address, signal?: AbortSignal): Promise<Deployment> {
  const chain = await startLocalChain();
  const folder = mkdtempSync(join(tmpdir(), 'bowline-deployment-'));
  try {
    const forge = ['tools/foundry.mjs', `FOUNDRY_BROADCAST=${folder}`, 'forge', 'script', 'script/Deploy.s.sol'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...forge, '--sig', 'run()', '--json', '--rpc-url', chain.url, '--sender', treasurer],
      {
        cwd: root,
        maxBuffer: 2 ** 28,
        // Named, since forge would take others from a `.env`.
        env: {
          ...machineSettings(process.env),
          ...{ OPERATOR: operator, ROTATOR: rotator, DESK_MAKER: maker },
          ...{ DEPLOYMENTS_DIR: '.cache/deployments', VERDICT_SIGNERS: '' },
        },
        ...(signal && { signal }),
      },
    );
    const returned = /"returned":"(0x[0-9a-f]+)"/.exec(stdout)?.[1] as Hex;
    const contracts = Object.fromEntries(
      names.map((name, at) => [name, getAddress(slice(returned, at * 32 + 12, at * 32 + 32))]),
    ) as OwnContracts;
    const log = readFileSync(join(folder, 'Deploy.s.sol', String(localChainId), 'dry-run', 'run-latest.json'), 'utf8');
    const { transactions } = JSON.parse(log) as { transactions: { transaction: { to: Address; input: Hex } }[] };
    const creations = transactions.map(({ transaction }) => transaction.input);
    const created = creations.map(createdBy);
    const missing = names.filter((name) => !created.includes(contracts[name]));
    if (missing.length > 0) throw new Error(`The script would not create ${missing.join(', ')}.`);
    return { contracts, creations };
  } finally {
    rmSync(folder, { recursive: true });
    await chain.stop();
  }
}

const createdBy = (creation: Hex): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: deterministicDeployer,
    salt: slice(creation, 0, 32),
    bytecode: slice(creation, 32),
  });
