import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Environment } from '@bowline/http/environment';
import { createPublicClient, http, isAddress, zeroAddress } from 'viem';
import { binary, hermetic } from '../lab/tools/foundry.mjs';
import { placeOf, root } from './home.ts';
import { shellEnvironment } from './host.ts';

/**
 * `npx bowline deploy --rpc-url URL` and forge's options for the paying key (`--account NAME`, `--ledger`; on a local chain `--unlocked
 * --sender ADDRESS`): checks the settings, then runs forge twice. The first run prints every address and sends, the second reads the
 * chain and writes script/deployments/<chainId>.json. `--predict` only checks and prints.
 * @param words of the command line, which are also passed to forge.
 * @throws one line for each reason not to begin.
 */
export async function deploy(words: readonly string[]): Promise<void> {
  const options = withKeystores(words, homedir()).filter((word) => word !== '--predict');
  const at = options.findIndex((option) => ['--rpc-url', '--fork-url', '-f'].includes(option));
  const url = at === -1 ? undefined : options[at + 1];
  // Without a chain, forge deploys to memory and reports success.
  if (!url) throw new Error('Name the chain and the paying key: npx bowline deploy --rpc-url URL --account NAME');
  const problems = problemsOf(shellEnvironment(), { chainId: await chainIdAt(url), options });
  if (problems.length > 0) throw new Error(['Nothing was sent.', ...problems].join('\n'));
  const send = ['--sig', 'run()', '--slow', ...options];
  const isForecast = words.includes('--predict');
  // Forge prints the addresses, which the script logs, before it sends anything.
  for (const step of isForecast
    ? [send]
    : [
        ['--broadcast', ...send],
        ['--sig', 'record()', ...options],
      ]) {
    const settings = { stdio: 'inherit', env: hermetic(), cwd: root } as const;
    const { status } = spawnSync(binary('forge'), ['script', 'script/Deploy.s.sol', ...step], settings);
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
  process.stdout.write(
    isForecast
      ? '\nNothing was sent. Without --predict, the contracts marked "new" are created at these addresses.\n'
      : '\nDeployed, read back and recorded in script/deployments/, or in DEPLOYMENTS_DIR.\n',
  );
}

/**
 * Splits `--option=value` in two, and replaces `--account NAME` by that keystore's path in `home`: forge would look in
 * its hermetic home, which is not the user's.
 */
export function withKeystores(words: readonly string[], home: string): string[] {
  const separate = words.flatMap((word) => (/^--\S+?=/.test(word) ? word.split(/=(.*)/s, 2) : word));
  return separate.map((option, at) => {
    if (option === '--account') return '--keystore';
    return separate[at - 1] === '--account' ? join(home, '.foundry', 'keystores', option) : option;
  });
}

/** Undefined if the URL is one of forge's own aliases, or not HTTP. */
async function chainIdAt(url: string): Promise<number | undefined> {
  if (!/^https?:/.test(url)) return undefined;
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) });
  return client.getChainId().catch(() => {
    throw new Error(`No node answers at ${new URL(url).host}, which --rpc-url names.`);
  });
}

/** Forge's options that take a secret; `--mnemonic-index` and the like take none. */
const rawKeys = /^--(private-keys?|mnemonics?|mnemonic-passphrases?)$/;
const accounts = ['OPERATOR', 'ROTATOR', 'DESK_MAKER'] as const;

/**
 * One sentence for each problem with the settings: forge would bury it in a hundred lines of trace. script/Deploy.s.sol
 * checks the settings again before its first transaction, for people who run it directly.
 * @param chainId undefined if no node gives it. @param options forge's.
 */
export function problemsOf(
  environment: Environment,
  { chainId, options = [] }: { readonly chainId: number | undefined; readonly options?: readonly string[] },
): string[] {
  const textOf = (name: string) => environment[name]?.trim() || undefined;
  const isSound = (text: string) => isAddress(text) && !sameAddress(text, zeroAddress);
  const isRequired = (name: (typeof accounts)[number]) =>
    name === 'DESK_MAKER' ? chainId === bscTestnetChainId : chainId !== undefined && chainId !== localChainId;
  const folder = textOf('DEPLOYMENTS_DIR') ?? 'script/deployments';
  const folders = writableFolders();
  const raw = options.find((option) => rawKeys.test(option));
  const isRaw = chainId === bscChainId && raw !== undefined && textOf('RAW_KEYS') !== 'accepted';
  const chains: readonly number[] = [bscChainId, bscTestnetChainId, localChainId];
  const isWithin = (parent: string) => !/^\.\.(\/|$)/.test(relative(pathOf(parent), pathOf(folder)));
  const problems: readonly (readonly [isWrong: boolean, sentence: string])[] = [
    [
      isRaw,
      `${raw} shows a key to whoever lists this machine's processes, which is refused on chain 56: use --account, --ledger, --trezor, --aws or --gcp, or set RAW_KEYS to accepted.`,
    ],
    [
      chainId !== undefined && !chains.includes(chainId),
      `Chain ${chainId} is not one that script/Deploy.s.sol knows: it deploys to ${chains.join(', ')}.`,
    ],
    ...accounts.map((name) => [isRequired(name) && !textOf(name), `${name} is required on chain ${chainId}.`] as const),
    ...accounts.map((name) => {
      const text = textOf(name);
      const sentence = `${name} must be an address, with its checksum if it has capital letters.`;
      return [text !== undefined && !isSound(text), sentence] as const;
    }),
    [
      isSound(textOf('OPERATOR') ?? '') && sameAddress(textOf('OPERATOR') ?? '', textOf('ROTATOR') ?? ''),
      'ROTATOR must not be OPERATOR: whoever stole the one key could name the next operator.',
    ],
    [
      (textOf('VERDICT_SIGNERS') ?? '').split(',').some((each) => each.trim() !== '' && !isSound(each.trim())),
      'VERDICT_SIGNERS must be addresses, separated by commas.',
    ],
    [
      !folders.some(isWithin),
      `DEPLOYMENTS_DIR is ${folder}, where forge may not write the record. Use ${folders.join(' or ')} or a folder in it, or add yours to fs_permissions in foundry.toml.`,
    ],
  ];
  return problems.flatMap(([isWrong, sentence]) => (isWrong ? [sentence] : []));
}

const pathOf = (path: string): string => resolve(fileURLToPath(placeOf(path)));

/** The folders of deployment records that foundry.toml lets forge write. */
function writableFolders(): string[] {
  const toml = readFileSync(new URL('foundry.toml', root), 'utf8');
  return [...toml.matchAll(/access = "read-write", path = "([^"]*deployments)"/g)].map(([, path = '']) => path);
}
