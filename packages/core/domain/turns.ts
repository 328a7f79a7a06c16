/**
 * Whose turn it is to act when several workers serve the same permissions. Each permission has an order of workers: the
 * first acts at once, the others after a head start if the permission is still due.
 */
export interface Turns<Item> {
  /**
   * Of all items that are due now, those on which this worker acts now. Forgets items that are not among them.
   * `nextMs`: time until this worker's turn at the next of the items that are left to others.
   */
  split<Each extends Item>(
    items: readonly Each[],
  ): { readonly ours: readonly Each[]; readonly left: number; readonly nextMs?: number };
  /** The item was not due after all: its head start begins again. */
  restart(item: Item): void;
}
