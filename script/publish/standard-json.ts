import { readFileSync } from 'node:fs';
import { type Hex, hexToBytes, keccak256, size } from 'viem';
import type { Build, Metadata } from '../bytecode/build.ts';

const root = new URL('../../', import.meta.url);

/** The compiler's standard-JSON input of one contract, with the text of every source that it needs and of no other. */
export interface StandardJson {
  readonly language: 'Solidity';
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** As explorers and Sourcify name a contract: `contracts/PlanRegistry.sol:PlanRegistry`. */
export function identifierOf({ settings: { compilationTarget } }: Metadata): string {
  const [target] = Object.entries(compilationTarget);
  if (target === undefined) throw new Error('The metadata names no contract.');
  return target.join(':');
}

/**
 * @param read gives the text of a source; by default from this checkout.
 * @throws one line, if a source is not the one that the contract was compiled from.
 */
export function standardJsonOf(
  metadata: Metadata,
  read: (path: string) => string = (path) => readFileSync(new URL(path, root), 'utf8'),
): StandardJson {
  const { compilationTarget, ...settings } = metadata.settings;
  const [target] = Object.entries(compilationTarget);
  if (target === undefined) throw new Error('The metadata names no contract.');
  const [path, name] = target;
  const sources = Object.entries(metadata.sources).map(([source, { keccak256: hash }]) => {
    const content = read(source);
    if (keccak256(new TextEncoder().encode(content)) !== hash) {
      throw new Error(`${source} has changed since it was compiled. Run this again.`);
    }
    return [source, { content }] as const;
  });
  // Only what a proof reads: explorers ask for more by themselves.
  const outputSelection = { [path]: { [name]: ['evm.bytecode.object', 'evm.deployedBytecode', 'metadata'] } };
  return { language: 'Solidity', sources: Object.fromEntries(sources), settings: { ...settings, outputSelection } };
}

interface Compiled {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly evm: {
              readonly bytecode: { readonly object: string };
              readonly deployedBytecode: {
                readonly object: string;
                readonly immutableReferences: Readonly<Record<string, readonly { start: number; length: number }[]>>;
              };
            };
          }
        >
      >
    >
  >;
}

/**
 * Compares what a compiler made of exactly that JSON with what is deployed: the code, immutables aside, and the code that
 * created it, which the CREATE2 address commits to.
 * @param output the compiler's answer, as text.
 * @param deployed code on chain.
 * @returns undefined if they are the same, or a sentence.
 */
export function differenceOf(
  output: string,
  { metadata, creation }: Pick<Build, 'metadata' | 'creation'>,
  deployed: Hex,
): string | undefined {
  const { errors = [], contracts } = JSON.parse(output) as Compiled;
  const failure = errors.find(({ severity }) => severity === 'error');
  if (failure !== undefined) return `The JSON does not compile: ${failure.formattedMessage.split('\n')[0]}`;
  const [[path, name] = ['', '']] = Object.entries(metadata.settings.compilationTarget);
  const evm = contracts?.[path]?.[name]?.evm;
  if (evm === undefined) return 'The compiler made nothing of it.';
  const runtime: Hex = `0x${evm.deployedBytecode.object}`;
  if (size(deployed) !== size(runtime))
    return `It gives ${size(runtime)} bytes of code; deployed are ${size(deployed)}.`;
  const [here, there] = [hexToBytes(runtime), hexToBytes(deployed)];
  for (const { start, length } of Object.values(evm.deployedBytecode.immutableReferences).flat()) {
    there.fill(0, start, start + length);
  }
  const at = here.findIndex((byte, index) => byte !== there[index]);
  if (at !== -1) return `It gives other code than the deployed, from byte ${at} on.`;
  return `0x${evm.bytecode.object}` === creation ? undefined : 'It gives other creation code than this checkout.';
}
