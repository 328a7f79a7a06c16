/** A token's sign of our own: nothing is fetched from elsewhere, and no colour is needed to tell them apart. */
export const AssetMark = ({ symbol }: { readonly symbol: string }) => (
  <span className={`mark mark-${symbol.toLowerCase()}`} aria-hidden="true">
    {symbol.replace(/^W(?=BNB)/, '').slice(0, symbol.startsWith('USD') ? 4 : 3)}
  </span>
);
