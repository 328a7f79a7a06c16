#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import {
  checkoutCommands,
  type Described,
  type ExitCode,
  exitCodes,
  groups,
  type Options,
  operatorCommands,
  UsageError,
} from './commands.ts';
import { isPackaged, root } from './home.ts';

// `npx bowline <command>`: the command line for operators and auditors, in a checkout, the archive and the container.

type Runs<Names extends keyof typeof operatorCommands | keyof typeof checkoutCommands> = {
  readonly [Name in Names]: (options: Options<Name>, words: readonly string[]) => Promise<ExitCode | undefined>;
};

const operatorRuns: Runs<keyof typeof operatorCommands> = {
  agent: () => started(import('../agent/src/main.ts')),
  page: () => started(import('../web/server/main.ts')),
  check: async (options) => (await import('./check.ts')).check(options),
  'show plan': async (options, words) => (await import('./show.ts')).show('plan', options, words),
  'show guard': async (options, words) => (await import('./show.ts')).show('guard', options, words),
  'show owner': async (options, words) => (await import('./show.ts')).show('owner', options, words),
  'show executor': async (options, words) => (await import('./show.ts')).show('executor', options, words),
  replay: async (options, words) => (await import('./replay.ts')).replayTicket(options, words),
  'show payments': async (options) => (await import('./ledger.ts')).ledger(options),
  'show served': async (options) => (await import('./served.ts')).showServed(options),
  completion: async () => (await import('./completion.ts')).printCompletion(program),
  rotate: async (options, words) => (await import('./rotate.ts')).rotate(options, words),
  fund: async (options) => (await import('./fund.ts')).fund(options),
  register: async (options) => (await import('./register.ts')).registerAgent(options),
  'pool-memory': async (options, words) => (await import('./pool-memory.ts')).poolMemory(options, words),
  backup: async (_, words) => (await import('./backup.ts')).backup(words),
  restore: async (options, words) => (await import('./restore.ts')).restoreBackup(options, words),
};

/** Loaded by URL, so that the archive does not bundle them. */
const checkoutRuns: Runs<keyof typeof checkoutCommands> = {
  deploy: async () => {
    await (await import(new URL('deploy.ts', import.meta.url).href)).deploy(process.argv.slice(2));
    return undefined;
  },
  up: () => ofItsOwn('../lab/world/start.ts'),
  scene: () => ofItsOwn('../lab/world/scene.ts'),
  hire: () => ofItsOwn('../lab/world/hire.ts'),
  descriptors: async (options) => (await import(new URL('descriptors.ts', import.meta.url).href)).descriptors(options),
};

function ofItsOwn(path: string) {
  const url = new URL(path, import.meta.url);
  process.argv[1] = fileURLToPath(url);
  return started(import(url.href));
}

/** The program keeps running, and reports its own end. */
const started = (program: Promise<unknown>) => program.then(() => undefined);

const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const program = new Command('bowline')
  .description('An on-chain finance agent for BNB Chain: its processes, and what operators and auditors need.')
  .version(version)
  .showHelpAfterError('Run it with --help to see its options.')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.done : exitCodes.notLooked));
const commands: Readonly<Record<string, Described>> = { ...operatorCommands, ...(isPackaged ? {} : checkoutCommands) };
const runs = { ...operatorRuns, ...checkoutRuns } as Readonly<
  Record<string, (options: object, words: readonly string[]) => Promise<ExitCode | undefined>>
>;
for (const [name, { words = '', purpose, options, looks = false, passesOptionsOn = false }] of Object.entries(
  commands,
)) {
  const command = placeOf(name, words).description(purpose).allowUnknownOption(passesOptionsOn);
  for (const [flags, meaning] of Object.entries(options)) command.option(flags, meaning);
  command.allowExcessArguments(passesOptionsOn).action(async () => {
    // A separate program parses its own words.
    process.argv.splice(2, 1);
    try {
      const code = await runs[name]?.(givenTo(command), command.args);
      if (code !== undefined) process.exitCode = code;
    } catch (error) {
      process.stderr.write(`${messageOf(error as Error)}\n`);
      process.exitCode = looks || error instanceof UsageError ? exitCodes.notLooked : exitCodes.wrong;
    }
  });
}
// Exits as SIGPIPE would: the reader, such as head, has seen enough.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(128 + constants.signals.SIGPIPE);
});
await program.parseAsync();
// Clients of some protocols keep connections open.
if (program.args[0] === 'check') process.exit();

/** @param name one word, or a group and a word within it. */
function placeOf(name: string, words: string): Command {
  const [group = '', within] = name.split(' ');
  if (within === undefined) return program.command(`${name} ${words}`);
  const known = program.commands.find((each) => each.name() === group);
  const parent = known ?? program.command(group).description(groups[group as keyof typeof groups]);
  return parent.command(`${within} ${words}`);
}

/** An empty value counts as none, as in settings. */
function givenTo(command: Command): Record<string, unknown> {
  const given = command.options.map((option) => [
    option.long?.slice(2),
    command.getOptionValue(option.attributeName()),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''));
}

/** Only the first line of viem's errors: the others quote the request and the node's address. */
function messageOf(error: Error): string {
  return 'shortMessage' in error ? (error.message.split('\n')[0] ?? '') : error.message;
}
