import { Account } from '../wallet/account.tsx';
import { WatchForm } from '../wallet/watching.tsx';
import { words } from '../words/words.ts';
import { LatelyForAnybody } from './lately-for-anybody.tsx';

const said = words.home;

/** For who has no wallet here: what this is, any address to look at, and what the contracts did last. */
export const Newcomer = () => (
  <>
    <section className="hero inviting" aria-label={said.pitch}>
      <div>
        <p className="hero-title">{said.pitch}</p>
        <p>{said.pitchMore}</p>
      </div>
      <div className="stack">
        <WatchForm />
        <Account hasMore />
      </div>
    </section>
    <LatelyForAnybody />
  </>
);
