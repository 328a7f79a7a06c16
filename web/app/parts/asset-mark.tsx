/** A token's own mark. It loads no external resource, and the marks differ by more than colour. */
export const AssetMark = ({ symbol }: { readonly symbol: string }) => (
  <span className={`mark mark-${symbol.toLowerCase()}`} aria-hidden="true">
    {symbol.replace(/^W(?=BNB)/, '').slice(0, symbol.startsWith('USD') ? 4 : 3)}
  </span>
);
