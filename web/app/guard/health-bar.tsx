import { UNWIND_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import type { Loan } from '../chain/read-loan.ts';
import { guardWords } from '../words/en/guard.ts';
import { barEnds, barPlace, health } from '../words/health.ts';
import type { Moved } from './outcome.tsx';

interface Props {
  readonly healthWad: bigint;
  readonly triggerHealthWad?: bigint | undefined;
  readonly targetHealthWad?: bigint | undefined;
  /** Markets whose debt can be liquidated at any health; undefined if not known. */
  readonly forcedMarkets: Loan['forcedMarkets'];
  /** The loan at other prices; undefined if none are tried. */
  readonly moved?: Moved | undefined;
}

/** Baselines of the labels. Each label has its own line, because marks can be arbitrarily close together. */
const LINES = { liquidated: 14, trigger: 58, target: 74 };

/** Health on a bar, with the liquidation point, the trigger and the target. */
export function HealthBar({ healthWad, triggerHealthWad, forcedMarkets, moved, ...given }: Props) {
  // A guard that repays the whole debt has no target health.
  const targetHealthWad = given.targetHealthWad === UNWIND_HEALTH_WAD ? undefined : given.targetHealthWad;
  const isForced = forcedMarkets !== undefined && forcedMarkets.length > 0;
  const marks = [WAD, ...(triggerHealthWad ? [triggerHealthWad] : []), ...(targetHealthWad ? [targetHealthWad] : [])];
  const there = [moved?.without, moved?.rescued].flatMap((each) =>
    each?.healthWad === undefined ? [] : [each.healthWad],
  );
  const { from, to } = barEnds([...marks, healthWad]);
  const place = (wad: bigint) => barPlace(wad, from, to) / 10;
  const named = [
    ...(isForced
      ? []
      : [
          { wad: WAD, name: forcedMarkets ? guardWords.liquidated : guardWords.liquidatedOrAbove, y: LINES.liquidated },
        ]),
    ...(triggerHealthWad ? [{ wad: triggerHealthWad, name: guardWords.triggerMark, y: LINES.trigger }] : []),
    ...(targetHealthWad ? [{ wad: targetHealthWad, name: guardWords.targetMark, y: LINES.target }] : []),
  ];
  const marked = named.map(({ wad, name }) => guardWords.mark(name, health(wad)));
  const told = isForced ? [guardWords.liquidatedAnywhere, ...marked] : marked;
  return (
    <svg
      className="health-bar"
      height={targetHealthWad ? 80 : 64}
      role="img"
      aria-label={guardWords.healthOf(health(healthWad), told)}
    >
      <rect className="track" y="27" width="100%" height="10" rx="5" />
      <rect className="filled" y="27" width={`${place(healthWad)}%`} height="10" rx="5" />
      <rect className="danger" y="27" width={`${isForced ? 100 : place(WAD)}%`} height="10" rx="5" />
      <circle
        className={isForced || healthWad < WAD ? 'here lost' : 'here'}
        cx={`${place(healthWad)}%`}
        cy="32"
        r="8"
      />
      {there.map((wad, at) => (
        <circle
          // Without a rescue first, then with one.
          key={at === 0 ? 'without' : 'rescued'}
          className={isForced || wad < WAD ? 'there lost' : 'there'}
          cx={`${place(wad)}%`}
          cy="32"
          r="6"
        />
      ))}
      {named.map(({ wad, name, y }) => (
        <g key={name}>
          <line x1={`${place(wad)}%`} x2={`${place(wad)}%`} y1="22" y2="42" />
          <text x={`${place(wad)}%`} y={y} textAnchor={place(wad) > 80 ? 'end' : place(wad) < 15 ? 'start' : 'middle'}>
            {name} {health(wad)}
          </text>
        </g>
      ))}
    </svg>
  );
}
