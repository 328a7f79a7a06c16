import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createPublicClient, encodeAbiParameters, type Hex, http } from 'viem';
import { build } from './bytecode/build.ts';
import { recordAt } from './bytecode/record.ts';
import { chosenBy } from './bytecode/verify.ts';
import { argumentsOf, type Name, names } from './bytecode/wiring.ts';
import { hostOf } from './host.ts';
import { readLine } from './local/options.ts';
import { differenceOf, identifierOf, standardJsonOf } from './publish/standard-json.ts';

// `npm run publish-source`: writes what an explorer's form
// ("Standard-Json-Input") and Sourcify want of each contract, and proves it first: the pinned compiler, given exactly that
// JSON, must make the deployed code. Sends nothing to anybody. A word is the name of a contract, for that one alone.
// Exits with 1 if one does not match.

const root = new URL('../', import.meta.url);
const compiler = fileURLToPath(new URL('tools/solc.mjs', root));
const say = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const host = hostOf();
  const { options, words } = readLine('npm run publish-source', {
    rpc: '',
    deployment: host.record,
    out: '.cache/publish',
  });
  const own = recordAt(options.deployment);
  const chosenNames = names.filter((name) => own[name] !== undefined && isWanted(name, words));
  if (chosenNames.length === 0) throw new Error(`${options.deployment} has no ${words.join(', ')}.`);
  const client = createPublicClient({ transport: http(options.rpc || host.rpcUrls()[0]) });
  const chainId = await client.getChainId();
  if (chainId !== own.chainId)
    throw new Error(`The record is for chain ${own.chainId}, but the node is on ${chainId}.`);
  const built = await build();
  const codes = new Map<Name, Hex>();
  for (const name of names) {
    const address = own[name];
    if (address !== undefined) codes.set(name, (await client.getCode({ address })) ?? '0x');
  }
  const chosen = await chosenBy(client, own, codes, built);
  const folder = new URL(`${options.out}/${chainId}/`, root);
  mkdirSync(folder, { recursive: true });
  let failed = 0;
  for (const name of chosenNames) {
    const contract = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const { metadata, creation, abi } = built(contract);
    const input = JSON.stringify(standardJsonOf(metadata), null, 2);
    const difference = differenceOf(compiled(input), { metadata, creation }, codes.get(name) ?? '0x');
    if (difference !== undefined) {
      failed += 1;
      say(`FAILED ${contract.padEnd(22)} ${own[name]}\n         ${difference}`);
      continue;
    }
    const inputs = abi.find((entry) => entry.type === 'constructor')?.inputs ?? [];
    const args = encodeAbiParameters([...inputs], [...argumentsOf(name, own, chosen)]);
    const request = {
      stdJsonInput: JSON.parse(input),
      compilerVersion: metadata.compiler.version,
      contractIdentifier: identifierOf(metadata),
    };
    writeFileSync(new URL(`${contract}.json`, folder), input);
    writeFileSync(new URL(`${contract}.sourcify.json`, folder), JSON.stringify(request));
    say(`ok     ${contract.padEnd(22)} ${own[name]}`);
    say(`         Contract ${request.contractIdentifier}, compiler v${metadata.compiler.version}, license MIT`);
    say(`         Constructor arguments: ${args === '0x' ? 'none' : args.slice(2)}`);
  }
  const where = `${options.out}/${chainId}`;
  say(`\nIn ${where}: NAME.json is the file for the explorer's form "Solidity (Standard-Json-Input)".`);
  say(`Sourcify takes the other: curl https://sourcify.dev/server/v2/verify/${chainId}/ADDRESS \\`);
  say(`  -H 'content-type: application/json' --data @${where}/NAME.sourcify.json`);
  if (failed > 0)
    throw new Error(`${failed} of ${chosenNames.length} do not give the deployed code: publish none of them.`);
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 1;
}

function isWanted(name: Name, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => word.toLowerCase() === name.toLowerCase());
}

/** In a process of its own, whose memory the compiler takes along when it ends. */
function compiled(input: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--standard-json'], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`The compiler failed: ${stderr.split('\n')[0]}`);
  return stdout;
}
