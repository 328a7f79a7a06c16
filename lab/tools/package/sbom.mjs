import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The bill of materials (CycloneDX) of `npm sbom`, reduced to packages whose code is bundled. Has no time or serial number,
 * so that the same sources make the same archive.
 * @param {string} root
 * @param {{name: string, version: string}} made
 * @param {readonly string[]} packages their folders
 * @throws if npm does not know one of them.
 */
export function sbomOf(root, { name, version }, packages) {
  // The page's parts are development dependencies of some package, and Vite makes npm believe that this is production.
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--include', 'dev'];
  const options = { cwd: root, encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 26 };
  /** @type {Record<string, any> & {components: any[], dependencies: any[]}} */
  const all = JSON.parse(execFileSync('npm', args, options));
  const component = new Map(all.components.map((each) => [each['bom-ref'], each]));
  const refs = new Set(packages.map((at) => refOf(at)));
  for (const ref of refs)
    if (!component.has(ref)) throw new Error(`npm sbom does not have ${ref}, whose code is inside`);
  const { serialNumber: _, ...rest } = all;
  const { timestamp: __, ...metadata } = all.metadata;
  const own = `${name}@${version}`;
  return {
    ...rest,
    metadata: {
      ...metadata,
      component: { 'bom-ref': own, type: 'application', name, version, purl: `pkg:npm/${own}` },
    },
    // npm names a package that is installed under an alias by the alias.
    components: [...refs].sort().map((ref) => ({ ...component.get(ref), name: ref.slice(0, ref.lastIndexOf('@')) })),
    dependencies: [
      { ref: own, dependsOn: [...refs].sort() },
      ...all.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: dependsOn.filter((/** @type {string} */ on) => refs.has(on)),
        })),
    ],
  };
}

/** npm's name for it. @param {string} at */
function refOf(at) {
  const { name, version } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
