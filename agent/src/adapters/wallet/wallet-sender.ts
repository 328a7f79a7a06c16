import type { Call, Sender, Sent } from '../../domain/ports.ts';
import { createLane, type LaneOptions } from './lane.ts';

export interface WalletOptions extends Omit<LaneOptions, 'key'> {
  /** What cannot wait for a bundler, whose second is several blocks: our own key carries it at once. */
  readonly isUrgent: (call: Call) => boolean;
}

export interface WalletSender extends Sender {
  /** Makes the account exist. */
  create(): Promise<Sent>;
}

/** The agentic wallet: what it does, its ERC-4337 account does. Behind the same port as the plain key. */
export function createWalletSender({ isUrgent, bundler, ...options }: WalletOptions): WalletSender {
  const calm = createLane({ ...options, key: 0n, ...(bundler && { bundler }) });
  const urgent = createLane({ ...options, key: 1n });
  return {
    address: options.account.address,
    send: (call) => (isUrgent(call) ? urgent : calm).send(call),
    outcome: async (hash) => (await calm.outcome(hash)) ?? (await urgent.outcome(hash)) ?? { outcome: 'unknown', hash },
    create: urgent.create,
  };
}
