/** What the agent keeps in its data folder, because the chain does not hold it. */
export const dataPaths = {
  /** Evidence documents. */
  evidence: 'evidence/',
  deliverables: 'deliverables/',
  /** The seller's notes on jobs, which it can read from the chain again: no backup needs them. */
  jobNotes: 'deliverables/jobs.json',
  /** The agent's entry in ERC-8004's registry. */
  registration: 'deliverables/registration.json',
  /** Payments, including those made before the price was set to 0. */
  payments: 'payments/',
  /** File of the webhooks that owners have registered. */
  notices: 'notices.json',
  /** While it exists, nothing begins on chain. */
  stopFile: 'stop',
} as const;

/** Where the agent keeps them. */
export type DataPlaces = Readonly<Record<keyof typeof dataPaths, URL>>;

/** Folders of payments. */
export const paymentFolders = ['open/', 'answered/', 'keys/', 'transfers/'] as const;

/**
 * All data, in an order that is safe for copying from a running agent: an open payment becomes an answered one, and
 * both need the claim and the key that were written before them.
 */
export const dataParts: readonly string[] = [
  ...[dataPaths.evidence, dataPaths.deliverables],
  ...paymentFolders.map((folder) => dataPaths.payments + folder),
  dataPaths.notices,
];

/** @param data the folder that DATA_DIR names, with a trailing slash. */
export const dataPlaces = (data: URL): DataPlaces =>
  Object.fromEntries(
    Object.entries(dataPaths).map(([name, path]) => [name, new URL(path, data)]),
  ) as unknown as DataPlaces;
