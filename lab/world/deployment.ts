import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type AddressBook,
  lendingAdapters,
  optionalContracts,
  ownContracts,
} from '@bowline/core/registry/address-book';
import { type Address, getAddress, getContractAddress, type Hex, keccak256, pad, slice, stringToHex } from 'viem';
import { deterministicDeployer } from './account-abstraction.ts';
import { isTestnet } from './addresses.ts';
import { connect } from './chain.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { localChainId, startLocalChain } from './fork.ts';
import { kept } from './kept.ts';
import { treasurer } from './replica.ts';
import { machineSettings } from './start/environment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Anvil's second account, whose key the agent has on a local chain. */
export const keeper: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Anvil's third account, which can only name the next operator. */
const rotator: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

const names = [...ownContracts, ...optionalContracts];
type Name = (typeof names)[number];

/** The addresses of this project's contracts. */
export type OwnContracts = AddressBook['own'];

/** Salt and creation code of each, for the deterministic deployer, in the order in which they are created. */
type Creations = Record<Name, Hex>;

/** Placeholders in cached code for the accounts that a caller names. They are hashes of their names, so nobody's. */
const placeholders = {
  operator: getAddress(slice(keccak256(stringToHex('operator')), 12)),
  maker: getAddress(slice(keccak256(stringToHex('maker')), 12)),
};

const sources = [
  'contracts',
  'script/Deploy.s.sol',
  'script/Bsc.sol',
  'script/BscTestnet.sol',
  'script/Contracts.sol',
  'packages/core/registry/feeds.json',
  'foundry.toml',
  'lab/tools/solc.mjs',
];

export const deployment: Compilation<Creations> = { name: 'deployment', sources, build: () => planned() };

/**
 * Puts this project's contracts on a local chain as script/Deploy.s.sol does: sends what forge said that it would send.
 * Leaves existing contracts unchanged.
 * @param operator of SwapExecutor.
 * @param maker whose quotes the desk honours; there is no desk without one.
 * @throws what forge said, when it fails.
 */
export async function deployOwn(
  rpcUrl: string,
  operator: Address,
  signal?: AbortSignal,
  maker?: Address,
): Promise<OwnContracts> {
  const template = await (isTestnet ? rehearsed(signal) : compiledOf(deployment));
  const creations = Object.entries(template)
    .filter(([name]) => maker !== undefined || name !== 'quoteDesk')
    .map(([name, creation]) => {
      const operated = withAccount(creation, placeholders.operator, operator);
      return [name, withAccount(operated, placeholders.maker, maker ?? placeholders.maker)] as const;
    });
  const chain = connect(rpcUrl);
  for (const [, creation] of creations) {
    const address = createdBy(creation);
    if ((await chain.getCode({ address })) !== undefined) continue;
    await chain.sendRaw(treasurer, deterministicDeployer, creation);
    if ((await chain.getCode({ address })) === undefined) throw new Error(`Nothing was created at ${address}.`);
  }
  return Object.fromEntries(creations.map(([name, creation]) => [name, createdBy(creation)])) as OwnContracts;
}

/** As a constructor argument, which fills a word. */
const withAccount = (creation: Hex, placeholder: Address, account: Address): Hex =>
  creation.replaceAll(pad(placeholder).slice(2).toLowerCase(), pad(account).slice(2).toLowerCase()) as Hex;

/** The same for the test network's replica, for which nothing is committed. */
async function rehearsed(signal?: AbortSignal): Promise<Creations> {
  const path = await kept('deployment', sources, String(localChainId), async () =>
    JSON.stringify(await planned(signal)),
  );
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** What the script would send to an empty chain. Starts one to find out. */
async function planned(signal?: AbortSignal): Promise<Creations> {
  const chain = await startLocalChain();
  const folder = mkdtempSync(join(tmpdir(), 'bowline-deployment-'));
  try {
    const forge = ['lab/tools/foundry.mjs', `FOUNDRY_BROADCAST=${folder}`, 'forge', 'script', 'script/Deploy.s.sol'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...forge, '--sig', 'run()', '--json', '--rpc-url', chain.url, '--sender', treasurer],
      {
        cwd: root,
        maxBuffer: 2 ** 28,
        // Set explicitly, because forge would take others from a `.env`.
        env: {
          ...machineSettings(process.env),
          OPERATOR: placeholders.operator,
          ROTATOR: rotator,
          DESK_MAKER: placeholders.maker,
          DEPLOYMENTS_DIR: '.cache/deployments',
          VERDICT_SIGNERS: '',
          COLLATERAL_GUARD: 'true',
        },
        ...(signal && { signal }),
      },
    );
    const logged = [...stdout.matchAll(/(0x[0-9a-fA-F]{40}) new +(\w)(\w+)/g)];
    const nameAt = new Map(logged.map(([, at, first, rest]) => [at, `${first?.toLowerCase()}${rest}`]));
    const log = readFileSync(join(folder, 'Deploy.s.sol', String(localChainId), 'dry-run', 'run-latest.json'), 'utf8');
    const { transactions } = JSON.parse(log) as { transactions: { transaction: { to: Address; input: Hex } }[] };
    const creations = Object.fromEntries(
      transactions.map(({ transaction: { input } }) => [nameAt.get(createdBy(input)), input]),
    ) as Creations;
    const absent: readonly Name[] = isTestnet ? lendingAdapters.slice(1) : [];
    const missing = names.filter((name) => creations[name] === undefined && !absent.includes(name));
    if (missing.length > 0) throw new Error(`The script would not create ${missing.join(', ')}.`);
    return creations;
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
