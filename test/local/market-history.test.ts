import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { fairProposal } from '@bowline/core/test/verdict/proposals';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { describe, expect, it } from 'vitest';
import { usdtPrice } from '../../lab/world/market/candles.ts';
import { type Asset, assets, createPath, type Path } from '../../lab/world/market/path.ts';
import { pastRemembers } from '../../lab/world/market/play.ts';

// The checks' findings in the local exchange's history.

const hour = 3_600;
/** A full hour. */
const start = 1_800_000_000;

/** The findings of the checks that read history, `seconds` after the start. */
function found(path: Path, asset: Asset, seconds: number) {
  const now = start + seconds;
  const opened = Math.floor(now / hour) * hour;
  const closesWad = Array.from({ length: 168 }, (_, at) => {
    const closedAt = Math.min(opened - (166 - at) * hour, now);
    return BigInt(Math.round(usdtPrice(path, asset, closedAt) * 1e5)) * 10n ** 13n;
  });
  const symbol = asset;
  const limits = limitsOfAsset({ ...fairProposal().asset, symbol, class: asset === 'USDC' ? 'stable' : 'crypto' });
  // A buy would not wait after a fall.
  const proposal = {
    ...fairProposal(),
    side: 'sell' as const,
    history: { intervalSeconds: 3_600n, closesWad },
    limits,
  };
  const past = ['volatility', 'recent_move'];
  const ofPast = judgeProposal(proposal).findings.filter(({ check }) => past.includes(check));
  expect(ofPast).toHaveLength(2);
  return ofPast.flatMap(({ outcome, reason }) => (outcome === 'pass' ? [] : [`${outcome} ${reason}`]));
}

it.each(assets.filter((asset) => asset !== 'USDT'))('%s has an ordinary past, whenever it is asked for', (asset) => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const path = createPath(seed, start);
    for (let seconds = 0; seconds < 2 * 24 * hour; seconds += 1_777) expect(found(path, asset, seconds)).toEqual([]);
  }
});

describe('the checks find the fall that the exchange tells', () => {
  const lines = (share: number, seconds: number) =>
    pastRemembers({ asset: 'BTCB', share, from: start + 600, overSeconds: 5 }, start + seconds).map(
      (line) => /\((\w+)\)/.exec(line)?.[1],
    );
  const fallen = (share: number) => {
    const path = createPath(1, start);
    path.add({ asset: 'BTCB', share, from: start + 600, overSeconds: 5 });
    return path;
  };

  it.each([
    ['50 %, in its hour', 0.5, 700, ['price_moving', 'volatility_high']],
    ['50 %, two hours later', 0.5, 7_600, ['volatility_high']],
    ['50 %, a day later', 0.5, 24 * hour + 3_700, []],
    ['15 %, in its hour', 0.15, 700, ['price_moving']],
    ['15 %, an hour later', 0.15, 4_000, ['price_moving']],
    ['15 %, two hours later', 0.15, 7_600, []],
    ['4 %, in its hour', 0.04, 700, []],
  ])('%s', (_, share, seconds, reasons) => {
    expect(lines(share, seconds)).toEqual(reasons);
    expect(
      found(fallen(share), 'BTCB', seconds)
        .map((finding) => finding.split(' ')[1])
        .toSorted(),
    ).toEqual(reasons);
  });

  it('a fall of 50 % is at most CAUTION for the rest of its day, as is said', () => {
    expect(found(fallen(0.5), 'BTCB', 7_600)).toEqual([expect.stringMatching(/volatility_high$/)]);
  });
});
