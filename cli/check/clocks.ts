import type { Finding } from '@bowline/chain/preflight';

/** Block times are whole seconds, and a block takes a while to arrive. */
const maxAheadOfChainSeconds = 60;
const maxBehindChainSeconds = 2;
const maxOffExchangeSeconds = 2;

const lacking = {
  without:
    'Prices and blocks seem older or newer than they are: verdicts are NO_DATA, and tickets expire early or late.',
  remedy:
    "Set this machine's clock by NTP (timedatectl set-ntp true). If it is right, the other one is wrong: use another node.",
};

/** @param now of this machine, Unix seconds with a fraction. @param timestamp of the newest block. */
export function chainClockFinding(now: number, timestamp: bigint): Finding {
  const ahead = now - Number(timestamp);
  const ok = ahead >= -maxBehindChainSeconds && ahead <= maxAheadOfChainSeconds;
  return findingOf('clock.chain', ahead, "the newest block's time", ok);
}

/**
 * Compares with the exchange's server time, which is no block's and so is fresh.
 * @param url of the exchange's API. @param now Unix seconds with a fraction.
 */
export async function exchangeClockFinding(url: string, now: () => number): Promise<Finding> {
  const check = 'clock.exchange';
  const before = now();
  try {
    const response = await fetch(`${url}/api/v3/time`, { redirect: 'error', signal: AbortSignal.timeout(5_000) });
    const { serverTime } = (await response.json()) as { serverTime: unknown };
    if (typeof serverTime !== 'number') throw new Error('no time');
    const after = now();
    // Somewhere between the two: what the way took is nobody's fault.
    const server = serverTime / 1000;
    const ahead = server < before ? before - server : Math.min(0, after - server);
    return findingOf(check, ahead, "the exchange's time", Math.abs(ahead) <= maxOffExchangeSeconds);
  } catch {
    const { host } = new URL(url);
    return {
      check,
      ok: false,
      found: `${host} does not tell its time.`,
      without: "This machine's clock is compared with the chain alone.",
      remedy: 'Check MARKET_DATA_URL and the way out of this machine.',
    };
  }
}

function findingOf(check: string, ahead: number, other: string, ok: boolean): Finding {
  const found =
    Math.abs(ahead) < 0.05
      ? `This machine's clock agrees with ${other}.`
      : `This machine's clock is ${Math.abs(ahead).toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} ${other}.`;
  return { check, ok, found, ...(!ok && lacking) };
}
