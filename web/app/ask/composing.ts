/** Safari ends a composition before it reports the key that ended it, and marks that key with this number. */
const COMPOSED = 229;

/**
 * Whether a key is for the input method, which writes Chinese for one: Enter takes what is being written, and Escape drops
 * it. The page must not act on either.
 */
export const isComposing = ({ nativeEvent }: { readonly nativeEvent: Key }): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === COMPOSED;

/** Of a browser's KeyboardEvent. */
interface Key {
  readonly isComposing: boolean;
  readonly keyCode: number;
}
