import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Address } from 'viem';
import { exitCodes, type Options } from './commands.ts';
import { placeOf, say } from './home.ts';
import { type Deployment, type Name, recordAt } from './record.ts';

const templatesFolder = 'clear-signing/';

/** The parts of an ERC-7730 file that are filled in. */
export interface Descriptor {
  readonly context?: { readonly contract?: Binding; readonly eip712?: Binding };
  readonly metadata?: { readonly contractName?: string };
}
interface Binding {
  deployments: { readonly chainId: number; readonly address: Address }[];
}

/**
 * `npx bowline descriptors --deployment script/deployments/56.json --out FOLDER`: writes the ERC-7730 descriptors of a deployment, for
 * wallets and their registry.
 */
export async function descriptors({
  deployment = 'script/deployments/31337.json',
  out = 'clear-signing/deployed',
}: Options<'descriptors'>) {
  const folder = placeOf(`${out}/`);
  mkdirSync(folder, { recursive: true });
  for (const [name, descriptor] of Object.entries(filled(recordAt(deployment)))) {
    writeFileSync(new URL(name, folder), `${JSON.stringify(descriptor, null, 2)}\n`);
    say(`${out}/${name}`);
  }
  return exitCodes.done;
}

/** The files of clear-signing/, by name. None of them names a deployment. */
export function templates(): Record<string, Descriptor> {
  const names = readdirSync(placeOf(templatesFolder)).filter((name) => name.endsWith('.json'));
  const read = (name: string) => JSON.parse(readFileSync(placeOf(`${templatesFolder}${name}`), 'utf8'));
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/**
 * The descriptors of one deployment: the files of clear-signing/, each bound to its contract's address. Leaves out the
 * files of an optional contract that the record lacks.
 * @throws a sentence, if the record lacks its chain or another contract, or a file names a contract unknown here.
 */
export function filled(deployment: Deployment): Record<string, Descriptor> {
  const files = templates();
  if (deployment.chainId === undefined) throw new Error('The deployment record has no chainId.');
  for (const [file, { context, metadata }] of Object.entries(files)) {
    const binding = context?.contract ?? context?.eip712;
    if (binding === undefined) continue;
    const contract = contracts[metadata?.contractName ?? ''];
    if (contract === undefined)
      throw new Error(`clear-signing/${file} is for ${metadata?.contractName}, which is unknown.`);
    const address = deployment[contract.name];
    if (address !== undefined) binding.deployments = [{ chainId: deployment.chainId, address }];
    else if (contract.isOptional) delete files[file];
    else throw new Error(`The deployment record has no ${contract.name}.`);
  }
  return files;
}

/** The contracts that people call or sign for, by their names in the descriptors. */
const contracts: Readonly<Record<string, { readonly name: Name; readonly isOptional?: true }>> = {
  PlanRegistry: { name: 'planRegistry' },
  LoanGuard: { name: 'loanGuard' },
  Revocations: { name: 'revocations' },
  QuoteDesk: { name: 'quoteDesk', isOptional: true },
  SwapExecutor: { name: 'swapExecutor' },
  CollateralGuard: { name: 'collateralGuard', isOptional: true },
};
