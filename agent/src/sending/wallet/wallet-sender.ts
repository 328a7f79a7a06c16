import type { Call, Sender, Sent } from '@bowline/core/domain/ports';
import { createRoutedSender } from '../routed-sender.ts';
import { createLane, type LaneOptions } from './lane.ts';

export interface WalletOptions extends Omit<LaneOptions, 'key' | 'carriers'> {
  /** Carries operations to the EntryPoint with a key of ours. */
  readonly carrier: Sender;
  /** What cannot wait for a bundler, whose second is several blocks: our own key carries it at once. */
  readonly isUrgent: (call: Call) => boolean;
  /**
   * Carries what is urgent, with a key and a queue of its own. Absent, or while that key cannot pay: `carrier` does, after what
   * it has under way.
   */
  readonly urgentCarrier?: Sender;
}

export interface WalletSender extends Sender {
  /** Makes the account exist. */
  create(): Promise<Sent>;
}

/** The agentic wallet: what it does, its ERC-4337 account does. Behind the same port as the plain key. */
export function createWalletSender(wallet: WalletOptions): WalletSender {
  const { isUrgent, bundler, carrier, urgentCarrier, ...options } = wallet;
  const calm = createLane({ ...options, key: 0n, carriers: [carrier], ...(bundler && { bundler }) });
  const urgent = createLane({ ...options, key: 1n, carriers: urgentCarrier ? [urgentCarrier, carrier] : [carrier] });
  const { address, send, outcome } = createRoutedSender(options.account.address, (call) =>
    isUrgent(call) ? urgent : calm,
  );
  return { address, send, outcome, create: urgent.create };
}
