// The settings of `npx bowline deploy`, checked before forge is started: forge names a wrong one among a hundred lines of trace.
// script/Deploy.s.sol checks them again, before its first transaction, for those who run it themselves.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isAddress, isAddressEqual, zeroAddress } from 'viem';

const local = 31_337;
/** Forge's options that have a secret behind them. */
const rawKeys = [
  '--private-key',
  '--private-keys',
  '--mnemonic',
  '--mnemonics',
  '--mnemonic-passphrase',
  '--mnemonic-passphrases',
];
const testnet = 97;

/**
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} root of the project
 * @returns {Readonly<Record<string, string | undefined>>} as forge sees it: a `.env` fills in what is not set
 */
export function withEnvFile(environment, root) {
  const file = join(root, '.env');
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...environment } : environment;
}

/**
 * What is wrong with the settings, one sentence each.
 * @param {Readonly<Record<string, string | undefined>>} settings
 * @param {{chainId: number | undefined, root: string, foundryToml: string, options?: readonly string[]}} of chainId is undefined
 *   where no node says it; options are forge's
 * @returns {string[]}
 */
export function problemsOf(settings, { chainId, root, foundryToml, options = [] }) {
  const textOf = (/** @type {string} */ name) => settings[name]?.trim() || undefined;
  const isPublic = chainId !== undefined && chainId !== local;
  const required = isPublic ? ['OPERATOR', 'ROTATOR', ...(chainId === testnet ? ['DESK_MAKER'] : [])] : [];
  const [operator, rotator] = [textOf('OPERATOR'), textOf('ROTATOR')];
  const areBoth = isSound(operator) && isSound(rotator);
  const folder = textOf('DEPLOYMENTS_DIR') ?? 'script/deployments';
  const folders = writableIn(foundryToml);
  // `--mnemonic-index` and the like hold no secret.
  const raw = options.map((option) => option.split('=')[0]).find((option) => rawKeys.includes(option ?? ''));
  return [
    ...(chainId === 56 && raw !== undefined && textOf('RAW_KEYS') !== 'accepted'
      ? [
          `${raw} shows a key to whoever lists this machine's processes, which is refused on chain 56: use --account, --ledger, --trezor, --aws or --gcp, or set RAW_KEYS to accepted.`,
        ]
      : []),
    ...(chainId === undefined || [56, testnet, local].includes(chainId)
      ? []
      : [`Chain ${chainId} is not one that script/Deploy.s.sol knows: it deploys to 56, ${testnet} and ${local}.`]),
    ...required.filter((name) => textOf(name) === undefined).map((name) => `${name} is required on chain ${chainId}.`),
    ...['OPERATOR', 'ROTATOR', 'DESK_MAKER']
      .filter((name) => textOf(name) !== undefined && !isSound(textOf(name)))
      .map((name) => `${name} must be an address, with its checksum if it has capital letters.`),
    ...(areBoth && isAddressEqual(/** @type {`0x${string}`} */ (operator), /** @type {`0x${string}`} */ (rotator))
      ? ['ROTATOR must not be OPERATOR: whoever stole the one key could name the next operator.']
      : []),
    ...((textOf('VERDICT_SIGNERS') ?? '').split(',').every((each) => each.trim() === '' || isSound(each.trim()))
      ? []
      : ['VERDICT_SIGNERS must be addresses, separated by commas.']),
    ...(folders.some((each) => isWithin(resolve(root, each), resolve(root, folder)))
      ? []
      : [
          `DEPLOYMENTS_DIR is ${folder}, where forge may not write the record. Use ${folders.join(' or ')} or a folder in it, or add yours to fs_permissions in foundry.toml.`,
        ]),
  ];
}

/** @param {string | undefined} text */
const isSound = (text) => text !== undefined && isAddress(text) && !isAddressEqual(text, zeroAddress);

/**
 * @param {string} parent
 * @param {string} path
 */
const isWithin = (parent, path) => !/^\.\.(\/|$)/.test(relative(parent, path));

/**
 * The folders of deployment records that foundry.toml lets forge write.
 * @param {string} toml
 */
const writableIn = (toml) =>
  [...toml.matchAll(/access = "read-write", path = "([^"]*deployments)"/g)].map(([, path = '']) => path);
