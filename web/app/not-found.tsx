import { Link } from 'wouter';
import { words } from './words/en/frame.ts';

/** A path that leads nowhere. */
export const NotFound = () => (
  <div className="empty">
    <h1>{words.frame.notFound}</h1>
    <p>{words.frame.notFoundMore}</p>
    <Link className="button" href="/">
      {words.frame.toStart}
    </Link>
  </div>
);
