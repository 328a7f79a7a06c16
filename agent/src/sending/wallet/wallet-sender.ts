import type { Call, Sender, Sent } from '@bowline/core/domain/ports';
import { createRoutedSender } from '../routed-sender.ts';
import { createLane, type LaneOptions } from './lane.ts';

export interface WalletOptions extends Omit<LaneOptions, 'key' | 'carriers'> {
  /** Submits operations to the EntryPoint with a key of ours. */
  readonly carrier: Sender;
  /** Calls that cannot wait for a bundler, whose second is several blocks: our own key submits them at once. */
  readonly isUrgent: (call: Call) => boolean;
  /**
   * Submits urgent calls, with a key and a queue of its own. If absent, or while that key cannot pay, `carrier` does
   * after its pending work.
   */
  readonly urgentCarrier?: Sender;
}

export interface WalletSender extends Sender {
  /** Deploys the account. */
  create(): Promise<Sent>;
}

/** The agentic wallet: sends through its ERC-4337 account, behind the same port as the plain key. */
export function createWalletSender(wallet: WalletOptions): WalletSender {
  const { isUrgent, bundler, carrier, urgentCarrier, ...options } = wallet;
  const calm = createLane({ ...options, key: 0n, carriers: [carrier], ...(bundler && { bundler }) });
  const urgent = createLane({ ...options, key: 1n, carriers: urgentCarrier ? [urgentCarrier, carrier] : [carrier] });
  const { address, send, outcome } = createRoutedSender(options.account.address, (call) =>
    isUrgent(call) ? urgent : calm,
  );
  return { address, send, outcome, create: urgent.create };
}
