/** The part of browser storage that the page uses. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Browser storage that never throws. A browser may forbid it, lack it or have no room: values that it rejects stay in
 * memory until the page is left.
 */
function keptIn(find: () => Storage): Kept {
  const unkept = new Map<string, string>();
  return {
    getItem(key) {
      try {
        return unkept.get(key) ?? find().getItem(key);
      } catch {
        return null;
      }
    },
    setItem(key, value) {
      try {
        find().setItem(key, value);
        unkept.delete(key);
      } catch {
        unkept.set(key, value);
      }
    },
    removeItem(key) {
      unkept.delete(key);
      try {
        find().removeItem(key);
      } catch {
        // The browser had not stored it.
      }
    },
  };
}

/** Shared by all tabs of this browser. */
export const browserStorage = keptIn(() => localStorage);

/** For this tab only; survives reloads. */
export const tabStorage = keptIn(() => sessionStorage);
