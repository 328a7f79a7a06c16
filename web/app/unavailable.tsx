/** Without its settings the page knows no chain and no contract: it shows nothing rather than guess. */
export function Unavailable({ retry }: { readonly retry: () => void }) {
  return (
    <main className="lone">
      <h1>Bowline</h1>
      <p>The page cannot reach its server, so it does not know which chain to read. Nothing was sent.</p>
      <button type="button" className="button primary" onClick={retry}>
        Try again
      </button>
    </main>
  );
}
