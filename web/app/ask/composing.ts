/** Safari ends a composition before it reports the key that ended it, and marks that key with this number. */
const COMPOSED = 229;

/**
 * Whether a key belongs to the input method (used for Chinese, for example): Enter accepts the text being composed and
 * Escape discards it. The page must not act on either.
 */
export const isComposing = ({ nativeEvent }: { readonly nativeEvent: Key }): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === COMPOSED;

/** The part of a browser's KeyboardEvent that is used. */
interface Key {
  readonly isComposing: boolean;
  readonly keyCode: number;
}
