import { Link } from 'wouter';
import { words } from './words/en/frame.ts';

/** Shown at an unknown path. */
export const NotFound = () => (
  <div className="empty">
    <h1>{words.frame.notFound}</h1>
    <p>{words.frame.notFoundMore}</p>
    <Link className="button" href="/">
      {words.frame.toStart}
    </Link>
  </div>
);
