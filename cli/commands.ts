/** A command of `bowline`, as its help describes it. */
export interface Described {
  /** Its arguments, in commander's notation. */
  readonly words?: string;
  readonly purpose: string;
  /** The meaning of each option, keyed by its flags. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether it only reads: if it fails, nothing was looked at. */
  readonly looks?: true;
  /** Whether a separate program parses the command line, and knows options that are not listed. */
  readonly passesOptionsOn?: true;
}

const rpc = { '--rpc <url>': "node; by default the agent's" } as const;
const chain = { '--chain <name>': "bsc, bsc-testnet or local; by default the agent's" } as const;
const data = { '--data <folder>': "the agent's data folder" } as const;
const deployments = { '--deployments <folder>': 'folder of the deployment records' } as const;
const deployment = { '--deployment <file>': 'deployment record' } as const;

/** Commands that show what the chain keeps. */
const showing = {
  looks: true,
  options: {
    '--replay [place]':
      "recompute the recorded verdicts: evidence from the agent's folder, another folder or an agent's address, or one document or its hash",
    '--html <file>': 'write it to one new file that opens offline in a browser',
    ...rpc,
    ...deployment,
  },
} as const;

/** Descriptions of the first words that several commands share. */
export const groups = { show: "show what the chain and the agent's files say" } as const;

/** Commands that the archive and the container have, too. The first of two words is a command's group. */
export const operatorCommands = {
  agent: {
    purpose: 'run the agent, on the chain that the settings name',
    options: {
      '--only-owner <address>': 'serve only the plans and loans of one owner, as your own backup keeper',
    },
  },
  page: { purpose: "run the page's server", options: {} },
  check: {
    purpose: "test the agent's start without acting, and say what is refused and what to do",
    looks: true,
    options: {
      '--rpc <urls>': "nodes, separated by commas; by default the agent's",
      ...chain,
      ...deployments,
    },
  },
  replay: {
    words: '<ticket>',
    purpose: 'recompute a verdict from its evidence: a file, - for standard input, or the hash of a document',
    looks: true,
    options: {
      '--store <folder>': 'folder of evidence',
      '--rpc <url>': "node from which the chain's facts are read again; by default none",
      '--deployment <file>': 'deployment record that should have issued the ticket',
    },
  },
  'show plan': { words: '<id>', purpose: "check a plan's records against the signed terms", ...showing },
  'show guard': {
    words: '<id>',
    purpose: "check a guard's records: its number, or collateral-NUMBER if it pays from a deposit",
    ...showing,
  },
  'show owner': { words: '<address>', purpose: 'check all plans and guards of an owner', ...showing },
  'show executor': { words: '<address>', purpose: 'the report card of an executor', ...showing },
  'show payments': {
    purpose: "compare buyers' payments on chain with the agent's files",
    looks: true,
    options: {
      '--payee <address>': 'payee for answers',
      '--seller <addresses>': 'current and former sellers of jobs, separated by commas',
      ...data,
      '--from <block>': 'first block of payments',
      '--jobs-from <block>': 'first block of jobs',
      ...rpc,
      ...deployments,
    },
  },
  'show served': {
    purpose: 'list the plans and guards that a running agent leaves out, and why',
    looks: true,
    options: { '--agent <url>': "the agent's address" },
  },
  completion: { purpose: 'print the completion script for bash and zsh: . <(bowline completion)', options: {} },
  rotate: {
    words: '<key>',
    purpose: "replace one of the agent's keys: operator, verdict or seller",
    options: {
      ...rpc,
      ...chain,
      ...deployments,
      '--account <kind>': 'wallet or key, for the operator',
      '--from <address>': 'current verdict signer',
      '--to <address>': 'next verdict signer',
      '--out <file>': "file for the owners' transactions",
      ...data,
      '--jobs <what>': 'deliver or abandon open jobs',
    },
  },
  fund: {
    purpose: "show how much BNB the agent's accounts have for gas, and send what is missing",
    looks: true,
    options: {
      '--to <BNB>': 'target balance of each, by default twice MAX_GAS_BNB_PER_DAY',
      '--yes': 'send what is missing, from the account of PAYER_PRIVATE_KEY',
      ...rpc,
      ...chain,
      ...deployments,
    },
  },
  register: {
    purpose: 'register the agent in the ERC-8004 registry',
    options: {
      '--agent <url>': 'public address of the agent',
      ...rpc,
      ...chain,
      ...deployments,
      ...data,
      '--id <number>': 'ID of an agent that is already registered',
    },
  },
  'pool-memory': {
    words: '[assets...]',
    purpose: "show how many price observations an asset's pool stores, and buy what is missing",
    looks: true,
    options: {
      ...rpc,
      ...chain,
      '--slots <number>': 'number of observations that the pool should store',
      '--yes': 'buy what is missing',
    },
  },
  backup: { words: '<file>', purpose: 'back up what the chain does not hold into one file', options: {} },
  restore: {
    words: '<file>',
    purpose: 'restore a backup, without replacing anything',
    options: { '--sha256 <hash>': 'the hash that backup printed' },
  },
} as const satisfies Readonly<Record<string, Described>>;

/** Commands that compile, or write into the checkout. */
export const checkoutCommands = {
  up: { purpose: 'start everything on a local chain, as npm start does', options: {}, passesOptionsOn: true },
  scene: { purpose: 'change its market: crash BTCB 15%, calm and others', options: {}, passesOptionsOn: true },
  hire: { purpose: 'buy a job from its agent, as another agent', options: {}, passesOptionsOn: true },
  deploy: {
    purpose: 'deploy and record the contracts; the paying key is given by the options of `forge script`',
    options: { '--rpc-url <url>': 'node of the chain', '--predict': 'print the addresses, and send nothing' },
    passesOptionsOn: true,
  },
  descriptors: {
    purpose: 'write the ERC-7730 descriptors of a deployment, for wallets',
    options: { ...deployment, '--out <folder>': 'output folder' },
  },
} as const satisfies Readonly<Record<string, Described>>;

type Commands = typeof operatorCommands & typeof checkoutCommands;
type NameOf<Flags> = Flags extends `--${infer Name} ${string}` ? Name : Flags extends `--${infer Name}` ? Name : never;

/** The options given to a command, by name. */
export type Options<Name extends keyof Commands> = {
  readonly [Flags in keyof Commands[Name]['options'] as NameOf<Flags>]?: Flags extends `${string}>`
    ? string
    : Flags extends `${string}]`
      ? string | true
      : true;
};

/** What a command found or did, as exit codes. docs/reference/commands.md has the same table. */
export const exitCodes = {
  done: 0,
  /** Something is wrong, or could not be done. */
  wrong: 1,
  /** The command line is wrong, or nothing was looked at. */
  notLooked: 2,
  /** Somebody else has to act first. */
  waiting: 3,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line is wrong: nothing was done. */
export class UsageError extends Error {}
