/** Whether two texts are the same address, or other hex, ignoring case. Validates neither: see `readAddress`. */
export const sameAddress = (one: string, other: string | null | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase();

/** The listed entry at an address; undefined if there is none. */
export const listedAt = <Listed extends { readonly address: string }>(
  listed: readonly Listed[],
  address: string,
): Listed | undefined => listed.find((each) => sameAddress(each.address, address));
