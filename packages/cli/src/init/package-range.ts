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

const own = fileURLToPath(import.meta.resolve('modelwire/package.json'))

function versionIn(path: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return (manifest as { version: string }).version // the manifest of an installed package has one
}

/** Packages that this command has, itself or by the package boot. */
function installedVersion(name: string): string {
  const boot = createRequire(own).resolve('@modelwire/boot/package.json')
  try {
    return versionIn(createRequire(own).resolve(`${name}/package.json`))
  } catch {
    return versionIn(createRequire(boot).resolve(`${name}/package.json`))
  }
}

/** The range of versions that works with this command: the versions that it has itself, and what is compatible. */
export function packageRange(name: string): string {
  const version = name === 'modelwire' ? versionIn(own) : (others[name] ?? installedVersion(name))
  return `^${version}`
}
