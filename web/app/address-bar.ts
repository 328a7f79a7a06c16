// The part of a link's path that the first edition kept behind a hash: #/plans.
const hashPath = /^#(\/[a-z0-9][a-z0-9/]*)?\/?$/;

/** Sends links of the first edition to the path that they mean. */
export function followHashLinks(): void {
  const follow = () => {
    const [, path] = hashPath.exec(location.hash) ?? [];
    if (path !== undefined) history.replaceState(null, '', path + location.search);
  };
  follow();
  addEventListener('hashchange', follow);
}
