import { Link } from 'wouter';

/** A path that leads nowhere. */
export const NotFound = () => (
  <div className="empty">
    <h1>There is nothing at this address</h1>
    <p>The link may be incomplete, or of another version of this page.</p>
    <Link className="button" href="/">
      Go to the start
    </Link>
  </div>
);
