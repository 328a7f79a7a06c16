import { WAD } from '@bowline/core/domain/units';
import { Link } from 'wouter';
import { barPlace } from '../words/health.ts';
import type { Figure } from './state.ts';

/** A number, what it means, and the way to act on it. */
export function FigureTile({ name, value, more, tone, href, healthWad }: Figure) {
  const shown = (
    <>
      <span className="faint">{name}</span> <strong className="hero-number">{value}</strong>{' '}
      {healthWad !== undefined && (
        <svg className="meter" width="100%" height="6" aria-hidden="true">
          <rect width="100%" height="6" rx="3" />
          <rect className="filled" width={`${barPlace(healthWad, WAD, 2n * WAD) / 10}%`} height="6" rx="3" />
        </svg>
      )}
      <span>{more}</span>
    </>
  );
  const className = ['card', 'figure', tone].join(' ');
  if (href === undefined) return <div className={className}>{shown}</div>;
  // On the same page, a hash: the router would take it for a path.
  if (href.startsWith('#')) return <a {...{ className, href }}>{shown}</a>;
  return <Link {...{ className, href }}>{shown}</Link>;
}
