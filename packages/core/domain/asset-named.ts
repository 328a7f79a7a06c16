interface Named {
  readonly symbol: string;
  readonly address: string;
  /** Other names, in lower case. */
  readonly aliases?: readonly string[];
}

/** The listed asset that a text names by symbol, other name or address, in any case; undefined if none. */
export function assetNamed<Listed extends Named>(assets: readonly Listed[], text: string): Listed | undefined {
  const wanted = text.trim().toLowerCase();
  return assets.find(({ symbol, address, aliases = [] }) =>
    [symbol.toLowerCase(), address.toLowerCase(), ...aliases].includes(wanted),
  );
}
