import type { Environment } from '@bowline/http/environment';
import { accountsOf as accountsNamed } from '../sending/keys.ts';

const names = [
  /** Without it the command prints the call that the rotator has to make. */
  'ROTATOR_PRIVATE_KEY',
  /** The next operator's: its own account, or the owner of the wallet that becomes operator. */
  'NEW_OPERATOR_PRIVATE_KEY',
  /** The seller's whose place is taken. */
  'SELLER_PRIVATE_KEY',
  'NEW_SELLER_PRIVATE_KEY',
  /** The next verdict signer's, as the agent has it. */
  'VERDICT_PRIVATE_KEY',
] as const;

export type KeyName = (typeof names)[number];

/** The accounts of a rotation. */
export const accountsOf = (environment: Environment, chainId: number) => accountsNamed(names, environment, chainId);
