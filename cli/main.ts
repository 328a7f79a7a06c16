#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { isPackaged } from './check/home.ts';
import { type Described, operatorCommands } from './commands.ts';

// `npx bowline <command>`: what operators and auditors type, in a checkout, in the archive and in the container alike.

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** They compile, or write into the checkout. They are loaded by their address, so the archive does not contain them. */
const checkoutCommands: readonly Described[] = [
  {
    usage: 'deploy',
    purpose: 'deploy the contracts and record them; other options are those of `forge script` for the paying key',
    options: { '--rpc-url <url>': 'node of the chain', '--predict': 'print the addresses, and send nothing' },
    passesOptionsOn: true,
    run: () => load('deploy.mjs'),
  },
  {
    usage: 'descriptors',
    purpose: 'write the ERC-7730 descriptors of a deployment, for wallets',
    options: { '--deployment <file>': 'deployment record', '--out <folder>': 'where they are written' },
    run: () => load('descriptors.ts'),
  },
];

const program = new Command('bowline')
  .description('An on-chain finance agent for BNB Chain: its processes, and what operators and auditors need.')
  .version(version)
  .showHelpAfterError('Run it with --help to see its options.')
  // 1 says that something is wrong; 2 that nothing was looked at.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
for (const { usage, purpose, options, passesOptionsOn = false, run } of [
  ...operatorCommands,
  ...(isPackaged ? [] : checkoutCommands),
]) {
  const command = program.command(usage).description(purpose).allowUnknownOption(passesOptionsOn);
  command.allowExcessArguments(passesOptionsOn).action(async () => {
    // Each command reads its own words.
    process.argv.splice(2, 1);
    await run();
  });
  for (const [flags, meaning] of Object.entries(options)) command.option(flags, meaning);
}
await program.parseAsync();

async function load(file: string): Promise<void> {
  const url = new URL(file, import.meta.url);
  process.argv[1] = fileURLToPath(url);
  await import(url.href);
}
