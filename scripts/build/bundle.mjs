import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { root } from './packed.mjs'

/** @typedef {import('./packed.mjs').Package} Package */

const isOutside = (id) => !/^[./]/.test(id)

/** Packages that only the repository has become part of the bundle: a manifest names them below `devDependencies`. */
const staysOutside =
  ({ devDependencies = {} }) =>
  (id) =>
    isOutside(id) && devDependencies[id]?.startsWith('workspace:') !== true

/** A bundle is said to be complete only without warnings; declarations may use types that no door names. */
function failOnWarning(level, { message, code }) {
  if (level === 'warn' && code !== 'PLUGIN_WARNING') throw new Error(message)
}

/**
 * Writes one script for each door of a package, and files of what they share.
 * @param {Package} found
 * @param {string} folder
 */
export async function bundleScripts({ path, doors, manifest }, folder) {
  if (doors.size === 0) return
  const bundle = await rolldown({
    input: inputOf(doors, (door) => join(path, 'src', `${door}.ts`)),
    external: staysOutside(manifest),
    resolve: { conditionNames: ['@modelwire/source'] },
    platform: 'node',
    onLog: failOnWarning
  })
  const dir = join(folder, 'dist')
  const { output } = await bundle.write({
    dir,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    sourcemap: true,
    // What doors share is one file.
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
    comments: false
  })
  refuseUndeclared(manifest, output)
  for (const file of listMaps(dir)) leaveSourcesOut(file, dir, path)
}

/**
 * Writes one file of declarations for each door of a package, and files of what they share.
 * @param {Package} found
 * @param {string} folder
 */
export async function bundleDeclarations({ path, doors, manifest }, folder) {
  if (doors.size === 0) return
  const types = join(root, '.types', relative(root, path), 'src')
  const bundle = await rolldown({
    input: inputOf(doors, (door) => join(types, `${door}.d.ts`)),
    external: isOutside,
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    onLog: failOnWarning
  })
  const { output } = await bundle.write({
    dir: join(folder, 'dist'),
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'parts/[name].d.ts'
  })
  refuseUndeclared(manifest, output)
}

/** Packages at the root of the repository are found by every source, but not where only one package is installed. */
function refuseUndeclared(manifest, output) {
  const { name, dependencies, peerDependencies, publishConfig } = manifest
  if (manifest.private === true) return
  const declared = { ...dependencies, ...peerDependencies, ...publishConfig?.peers, [name]: '' }
  const undeclared = output
    .flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
    .filter((id) => isOutside(id) && !id.startsWith('node:') && !/\.(?:js|d\.ts)$/.test(id))
    .map((id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/'))
    .filter((found) => !(found in declared))
  if (undeclared.length > 0)
    throw new Error(`${name} imports packages that its manifest does not name: ${[...new Set(undeclared)].join(', ')}`)
}

function inputOf(doors, pathOf) {
  return Object.fromEntries(Array.from(doors, (door) => [door, pathOf(door)]))
}

function listMaps(dir) {
  return readdirSync(dir, { recursive: true })
    .filter((name) => name.endsWith('.js.map'))
    .map((name) => join(dir, name))
}

/** Stack traces name the source; its text is in the repository. */
function leaveSourcesOut(file, dir, path) {
  const map = JSON.parse(readFileSync(file, 'utf8'))
  const sources = map.sources.map((source) => join('..', relative(path, join(file, '..', source))))
  writeFileSync(file, JSON.stringify({ ...map, sources, sourcesContent: undefined }))
}
