import { Account } from './Account.tsx';

export function Header({ current, names }: { current: string; names: readonly { id: string; name: string }[] }) {
  return (
    <header className="head">
      <div className="head-row">
        <a className="brand" href="#/portfolio">
          <img src="/knot.svg" alt="" width="28" height="28" />
          Bowline
        </a>
        <Account />
      </div>
      <nav className="tabs" aria-label="Sections">
        {names.map(({ id, name }) => (
          <a key={id} href={`#/${id}`} aria-current={id === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  );
}
