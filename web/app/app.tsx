import { Ask } from './ask/ask.tsx';
import { Buy } from './buy/buy.tsx';
import { Guard } from './guard/guard.tsx';
import { Header } from './header.tsx';
import { Plans } from './plans/plans.tsx';
import { Portfolio } from './portfolio/portfolio.tsx';
import { type Section, useSection } from './sections.ts';

const pages: Readonly<Record<Section, () => React.ReactNode>> = {
  portfolio: Portfolio,
  plans: Plans,
  guard: Guard,
  buy: Buy,
  ask: Ask,
};

export function App() {
  const section = useSection();
  const Page = pages[section];
  return (
    <>
      <button type="button" className="skip" onClick={toMain}>
        Skip to the content
      </button>
      <Header section={section} />
      <main id="main" tabIndex={-1}>
        <Page />
      </main>
    </>
  );
}

/** No link: the hash is the route, and #main would leave the section. */
function toMain(): void {
  document.getElementById('main')?.focus();
}
