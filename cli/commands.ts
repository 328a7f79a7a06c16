/** A command of `bowline`, as its help describes it. */
export interface Described {
  /** The words that it takes, as commander has them. */
  readonly words?: string;
  readonly purpose: string;
  /** Meaning of each option, by its flags. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether it only looks: when it fails, nothing was looked at. */
  readonly looks?: true;
  /** Whether a program of its own reads the command line, and knows options that are not listed. */
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
      "judge the recorded verdicts again: evidence in the agent's folder, or in another, at an agent's address, or one document or its hash",
    '--html <file>': 'write it into one new file that a browser opens offline',
    ...rpc,
    ...deployment,
  },
} as const;

/** Purposes of the first words that several commands share. */
export const groups = { show: 'show what the chain and the files of the agent say' } as const;

/** What the archive and the container have, too. A command of two words belongs to the group that is the first. */
export const operatorCommands = {
  agent: {
    purpose: 'run the agent, on the chain that the settings name',
    options: {
      '--only-owner <address>': "serve the plans and loans of one owner alone, as one's own backup keeper does",
    },
  },
  page: { purpose: "run the page's server", options: {} },
  check: {
    purpose: 'start as the agent does, prove instead of acting, and say what is refused and what to do',
    looks: true,
    options: {
      '--rpc <urls>': "nodes, separated by commas; by default the agent's",
      ...chain,
      ...deployments,
    },
  },
  replay: {
    words: '<ticket>',
    purpose: 'judge a verdict again from its evidence: a file, - for standard input, or the hash of a document',
    looks: true,
    options: {
      '--store <folder>': 'folder of evidence',
      '--rpc <url>': 'node on which the facts of the chain are read again; by default none',
      '--deployment <file>': 'deployment record whose ticket it should be',
    },
  },
  'show plan': { words: '<id>', purpose: 'check the records of a plan against the signed terms', ...showing },
  'show guard': {
    words: '<id>',
    purpose: 'the same of a guard, by its number, or by collateral- and the number of one that pays out of a deposit',
    ...showing,
  },
  'show owner': { words: '<address>', purpose: 'the same of all plans and guards of an owner', ...showing },
  'show executor': { words: '<address>', purpose: 'the report card of who runs plans', ...showing },
  'show payments': {
    purpose: 'compare what the chain says that buyers have paid with the files of the agent',
    looks: true,
    options: {
      '--payee <address>': 'who is paid for answers',
      '--seller <addresses>': 'who sells jobs, or has sold, separated by commas',
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
  completion: { purpose: 'print what completes commands in bash and zsh: . <(bowline completion)', options: {} },
  rotate: {
    words: '<key>',
    purpose: "put another key in the place of one of the agent's: operator, verdict or seller",
    options: {
      ...rpc,
      ...chain,
      ...deployments,
      '--account <kind>': 'wallet or key, for the operator',
      '--from <address>': 'present verdict signer',
      '--to <address>': 'next verdict signer',
      '--out <file>': 'where the transactions for plans are written',
      ...data,
      '--jobs <what>': 'deliver or abandon open jobs',
    },
  },
  fund: {
    purpose: 'say how much BNB the accounts of the agent have for gas, and send what they lack',
    looks: true,
    options: {
      '--to <BNB>': 'how much each should have, by default 0.05',
      '--yes': 'send what is missing, from the account of PAYER_PRIVATE_KEY',
      ...rpc,
      ...chain,
      ...deployments,
    },
  },
  register: {
    purpose: "put the agent into ERC-8004's registry",
    options: {
      '--agent <url>': 'public address of the agent',
      ...rpc,
      ...chain,
      ...deployments,
      ...data,
      '--id <number>': 'number of an agent that is registered already',
    },
  },
  'pool-memory': {
    words: '[assets...]',
    purpose: "say how much of its price an asset's pool remembers, and buy what is missing",
    looks: true,
    options: {
      ...rpc,
      ...chain,
      '--slots <number>': 'observations that the pool should remember',
      '--yes': 'buy what is missing',
    },
  },
  backup: { words: '<file>', purpose: 'write what the chain does not hold into one file', options: {} },
  restore: {
    words: '<file>',
    purpose: 'put a backup back, without replacing anything',
    options: { '--sha256 <hash>': 'the hash that the backup printed' },
  },
} as const satisfies Readonly<Record<string, Described>>;

/** They compile, or write into the checkout. */
export const checkoutCommands = {
  up: { purpose: 'start everything on a local chain, as npm start does', options: {}, passesOptionsOn: true },
  scene: { purpose: 'change the market of it: crash BTCB 15%, calm and others', options: {}, passesOptionsOn: true },
  hire: { purpose: 'buy a job of its agent, as another agent', options: {}, passesOptionsOn: true },
  deploy: {
    purpose: 'deploy the contracts and record them; other options are those of `forge script` for the paying key',
    options: { '--rpc-url <url>': 'node of the chain', '--predict': 'print the addresses, and send nothing' },
    passesOptionsOn: true,
  },
  descriptors: {
    purpose: 'write the ERC-7730 descriptors of a deployment, for wallets',
    options: { ...deployment, '--out <folder>': 'where they are written' },
  },
} as const satisfies Readonly<Record<string, Described>>;

type Commands = typeof operatorCommands & typeof checkoutCommands;
type NameOf<Flags> = Flags extends `--${infer Name} ${string}` ? Name : Flags extends `--${infer Name}` ? Name : never;

/** The options that were given to a command, by their names. */
export type Options<Name extends keyof Commands> = {
  readonly [Flags in keyof Commands[Name]['options'] as NameOf<Flags>]?: Flags extends `${string}>`
    ? string
    : Flags extends `${string}]`
      ? string | true
      : true;
};

/** What a command found or did, and what a shell sees of it. docs/reference/commands.md has the same table. */
export const exitCodes = {
  done: 0,
  /** Something is wrong, or could not be done. */
  wrong: 1,
  /** The command line is wrong, or nothing was looked at. */
  notLooked: 2,
  /** Somebody else has to act before it can go on. */
  waiting: 3,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line is wrong: nothing was done. */
export class UsageError extends Error {}
