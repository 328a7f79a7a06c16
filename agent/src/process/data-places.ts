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

/**
 * @param data a folder, as DATA_DIR names it.
 * @param root from which it is relative.
 */
export function dataPlaces(data: string, root: URL): DataPlaces {
  const at = (path: string) => new URL(`${data}/${path}`, root);
  return {
    evidence: at('evidence/'),
    deliverables: at('deliverables/'),
    registration: at('deliverables/registration.json'),
    payments: at('payments/'),
    tasks: at('payments/tasks/'),
    notices: at('notices.json'),
  };
}
