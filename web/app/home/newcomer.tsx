import { Account } from '../wallet/account.tsx';
import { WatchForm } from '../wallet/watching.tsx';
import { homeWords } from '../words/en/home.ts';
import { LatelyForAnybody } from './lately-for-anybody.tsx';

/** Landing view without a wallet: the pitch, a form to watch an address, and the contracts' latest activity. */
export const Newcomer = () => (
  <>
    <section className="hero inviting pitch" aria-label={homeWords.pitch}>
      <div>
        <p className="hero-title">{homeWords.pitch}</p>
        <p>{homeWords.pitchMore}</p>
      </div>
      <div className="box stack">
        <WatchForm />
        <Account hasMore />
      </div>
    </section>
    <LatelyForAnybody />
  </>
);
