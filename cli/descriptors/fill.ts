import { readdirSync, readFileSync } from 'node:fs';
import type { Address } from 'viem';
import type { Deployment, Name } from '../record.ts';

const folder = new URL('../../clear-signing/', import.meta.url);

interface Binding {
  deployments: { readonly chainId: number; readonly address: Address }[];
}

/** An ERC-7730 file, as far as filling it in needs. */
export interface Descriptor {
  readonly context?: { readonly contract?: Binding; readonly eip712?: Binding };
  readonly metadata?: { readonly contractName?: string };
}

/** The files of clear-signing/ by their names. None of them names a deployment. */
export function templates(): Record<string, Descriptor> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]));
}

/**
 * The descriptors of one deployment: the files of clear-signing/, each bound to its contract's address. The files of a
 * contract that is not always deployed are left out where the record does not have it.
 * @throws a sentence, if the record lacks its chain or another contract, or a file names a contract unknown here.
 */
export function filled(deployment: Deployment): Record<string, Descriptor> {
  const files = templates();
  if (deployment.chainId === undefined) throw new Error('The deployment record has no chainId.');
  for (const [file, { context, metadata }] of Object.entries(files)) {
    const binding = context?.contract ?? context?.eip712;
    if (binding === undefined) continue;
    const name = inRecord[metadata?.contractName as keyof typeof inRecord];
    if (name === undefined)
      throw new Error(`clear-signing/${file} is for ${metadata?.contractName}, which is unknown.`);
    const address = deployment[name];
    if (address === undefined && !optional.has(name)) throw new Error(`The deployment record has no ${name}.`);
    if (address === undefined) delete files[file];
    else binding.deployments = [{ chainId: deployment.chainId, address }];
  }
  return files;
}

/** The contracts that people call or sign for, by their names in the descriptors. */
const inRecord = {
  PlanRegistry: 'planRegistry',
  LoanGuard: 'loanGuard',
  Revocations: 'revocations',
  QuoteDesk: 'quoteDesk',
  SwapExecutor: 'swapExecutor',
  CollateralGuard: 'collateralGuard',
} as const satisfies Record<string, Name | 'collateralGuard'>;

const optional: ReadonlySet<string> = new Set(['quoteDesk', 'collateralGuard']);
