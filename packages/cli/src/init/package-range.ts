import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Versions of packages of others that new projects were tried with. */
const others: Readonly<Record<string, string>> = {
  '@sinclair/typebox': '0.34.52',
  '@types/node': '20.19.43',
  fastify: '5.12.8',
  // TypeScript 7 has no compiler API: openapi-typescript, typescript-eslint and plugins of editors do not run with it.
  typescript: '5.9.3'
}

/** The parts of a package.json that ranges are made of; that of an installed package has a version. */
interface Manifest {
  readonly version: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const own = fileURLToPath(import.meta.resolve('modelwire/package.json'))

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest // that of a package
}

/** Of a package that this command has, itself or by the package boot; undefined where it is not installed. */
function installedVersion(name: string): string | undefined {
  const boot = createRequire(own).resolve('@modelwire/boot/package.json')
  for (const from of [own, boot]) {
    try {
      return readManifest(createRequire(from).resolve(`${name}/package.json`)).version
    } catch {
      // Not there: the other one may have it.
    }
  }
  return undefined
}

/** The range of versions that works with this command: the versions that it has itself, and what is compatible. */
export function packageRange(name: string): string {
  const { version, peerDependencies = {} } = readManifest(own)
  const found = name === 'modelwire' ? version : (others[name] ?? installedVersion(name))
  // Optional peers need not be installed.
  const range = found === undefined ? peerDependencies[name] : `^${found}`
  if (range === undefined) throw new Error(`modelwire has no range of versions for ${name}`)
  return range
}
