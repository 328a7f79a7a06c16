import type { Guard, Plan, Rescue } from './permissions.ts';
import type { Hex } from './units.ts';

/** What happened to a permission, as a loop saw it. */
export type PermissionEvent =
  | {
      readonly kind: 'rescue_made';
      readonly guard: Guard;
      readonly hash: Hex;
      readonly block: bigint;
      /** Absent if the receipt does not say. */
      readonly rescue?: Rescue;
    }
  | { readonly kind: 'run_executed'; readonly plan: Plan };

/** Notifies owners of what they registered for. */
export interface Notices {
  /** Never throws and never waits. */
  tell(event: PermissionEvent): void;
}
