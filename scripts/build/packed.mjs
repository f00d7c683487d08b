import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ path: string, manifest: object, doors: Set<string> }} Package doors are files of `src`, without their ending */

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')

/** What the manifest in the repository says for work on it alone. */
const ofDevelopment = ['private', 'imports', 'scripts', 'devDependencies']
const copied = ['README.md', 'CHANGELOG.md', 'assets', 'index.cjs', 'index.d.cts']

/**
 * Every package of the repository; those that are private are packed for tests.
 * @returns {Package[]}
 */
export function listPackages() {
  return readdirSync(join(root, 'packages')).map((name) => {
    const path = join(root, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    return { path, manifest, doors: doorsOf(manifest) }
  })
}

/** Where a package lies as npm gets it. */
export function packedFolder(name) {
  return join(root, '.packed/node_modules', name)
}

function doorsOf({ exports = {}, bin = {} }) {
  const files = [...Object.values(exports).map((target) => target.default ?? target), ...Object.values(bin)]
  return new Set(files.flatMap((file) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(file)?.slice(1) ?? []))
}

/**
 * Writes what a package has beside its code: the manifest with versions in place of `workspace:` and `catalog:`, the pages for
 * readers, and links to what others made.
 * @param {Package} found
 * @param {string} folder
 */
export function writePackage({ path, manifest }, folder) {
  mkdirSync(folder, { recursive: true })
  for (const name of copied)
    if (existsSync(join(path, name))) cpSync(join(path, name), join(folder, name), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  linkOthers(join(path, 'node_modules'), join(folder, 'node_modules'))
}

function publishedManifest(manifest) {
  const kept = Object.entries(withOptionalPeers(manifest)).filter(([key]) => !ofDevelopment.includes(key))
  const published = Object.fromEntries(kept.map(([key, value]) => [key, publishedValue(key, value)]))
  return { ...published, ...(manifest.publishConfig === undefined ? { private: true } : {}) }
}

/**
 * Makes optional peers of the dependencies that `publishConfig.optionalPeers` names. They are dependencies in the repository because
 * changesets makes a major version of whatever has a peer with a new minor version. `publishConfig.peers` are further peers: those that
 * the root of the repository has, and pnpm would install a second time for a package.
 */
function withOptionalPeers(manifest) {
  const { optionalPeers, peers: ofRoot, ...publishConfig } = manifest.publishConfig ?? {}
  if (optionalPeers === undefined) return manifest
  const [peers, dependencies] = [true, false].map((isPeer) =>
    Object.fromEntries(
      Object.entries(manifest.dependencies).filter(([name]) => optionalPeers.includes(name) === isPeer)
    )
  )
  return {
    ...manifest,
    publishConfig,
    dependencies,
    peerDependencies: { ...manifest.peerDependencies, ...ofRoot, ...mapValues(peers, compatibleRange) },
    peerDependenciesMeta: mapValues(peers, () => ({ optional: true }))
  }
}

function publishedValue(key, value) {
  if (/^(?:d|peerD|optionalD)ependencies$/.test(key)) return mapValues(value, publishedRange)
  if (key === 'exports') return mapValues(value, publishedDoor)
  return key === 'publishConfig' ? { access: value.access } : value
}

function publishedDoor(target) {
  if (target.default?.startsWith('./dist/') !== true) return target
  return { types: target.default.replace(/\.js$/, '.d.ts'), default: target.default }
}

function publishedRange(range, name) {
  if (range === 'workspace:^') return `^${versionOf(name)}`
  return range === 'catalog:' ? catalog().get(name) : range
}

/** Peers are shared with the application: an exact version would be too much to ask. */
function compatibleRange(range, name) {
  return publishedRange(range, name).replace(/^(?=\d)/, '^')
}

function versionOf(name) {
  return listPackages().find(({ manifest }) => manifest.name === name).manifest.version
}

let versions

/** The versions of others that pnpm-workspace.yaml lists. */
function catalog() {
  versions ??= new Map(
    Array.from(
      readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
        .split(/^catalog:$/m)[1]
        .split(/^\S/m)[0]
        .matchAll(/^ {2}'?([^':\s]+)'?: (\S+)$/gm),
      ([, name, version]) => [name, version]
    )
  )
  return versions
}

function mapValues(record, change) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

/** Packages of this repository are found beside this one instead. */
function linkOthers(from, to) {
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    if (name.startsWith('.') || name === '@modelwire' || name === 'modelwire') continue
    if (name.startsWith('@')) linkOthers(join(from, name), join(to, name))
    else {
      mkdirSync(dirname(join(to, name)), { recursive: true })
      symlinkSync(join(from, name), join(to, name))
    }
  }
}

/** Puts the built replay of recordings beside the packages, so that it finds those that npm would get. */
export function linkConformance() {
  const [from, to] = [join(root, 'conformance'), join(root, '.packed/conformance')]
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.startsWith('dist') || name === 'package.json')
      cpSync(join(from, name), join(to, name), { recursive: true })
    else if (name !== 'node_modules') symlinkSync(join(from, name), join(to, name))
  }
  linkOthers(join(from, 'node_modules'), join(to, 'node_modules'))
}
