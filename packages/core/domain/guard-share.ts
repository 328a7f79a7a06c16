import type { Guard } from './permissions.ts';

/** Of `of` equal parts of all guards the one with this number, from 1 on. */
export interface GuardShare {
  readonly part: number;
  readonly of: number;
}

/**
 * Whether the guard falls to this share; without a share, all do. By numbers, which the contract gives: nobody can choose
 * whose share a guard falls to.
 */
export const isInShare = ({ id }: Pick<Guard, 'id'>, share: GuardShare | undefined): boolean =>
  share === undefined || id % BigInt(share.of) === BigInt(share.part - 1);
