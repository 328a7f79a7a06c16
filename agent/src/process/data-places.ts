/** Where the agent keeps, in its data folder, what the chain does not hold. */
export interface DataPlaces {
  /** Evidence documents. */
  readonly evidence: URL;
  readonly deliverables: URL;
  /** The agent's entry in ERC-8004's registry. */
  readonly registration: URL;
  /** Payments, also of those before a price of 0. */
  readonly payments: URL;
  /** A2A tasks, and who is told of them. */
  readonly tasks: URL;
  /** File of the webhooks that owners have registered. */
  readonly notices: URL;
}

const paths = {
  evidence: 'evidence/',
  deliverables: 'deliverables/',
  registration: 'deliverables/registration.json',
  payments: 'payments/',
  tasks: 'payments/tasks/',
  notices: 'notices.json',
} as const satisfies Record<keyof DataPlaces, string>;

/** Folders of payments, beside that of tasks. */
export const paymentFolders = ['open/', 'answered/', 'keys/', 'transfers/'] as const;

/**
 * All of it, in the order in which a running agent's can be copied: a task names payments, an open payment becomes an answered one, and
 * either needs the claim and the key written before it.
 */
export const dataParts: readonly string[] = [
  paths.evidence,
  paths.deliverables,
  paths.tasks,
  ...paymentFolders.map((folder) => paths.payments + folder),
  paths.notices,
];

/** @param data the folder that DATA_DIR names, with a trailing slash. */
export function dataPlaces(data: URL): DataPlaces {
  const at = (name: keyof DataPlaces) => new URL(paths[name], data);
  return {
    evidence: at('evidence'),
    deliverables: at('deliverables'),
    registration: at('registration'),
    payments: at('payments'),
    tasks: at('tasks'),
    notices: at('notices'),
  };
}
