/** What the page uses of a browser's storage. */
export type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * A storage of the browser that never throws. A browser may forbid it, lack it or have no room: what it does not take is
 * kept here until the page is left.
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
        // It was not kept.
      }
    },
  };
}

/** For this browser, whichever tab. */
export const browserStorage = keptIn(() => localStorage);

/** For this tab, over reloads. */
export const tabStorage = keptIn(() => sessionStorage);
