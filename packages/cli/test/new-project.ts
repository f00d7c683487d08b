import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** The repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))
/** An empty folder, removed when the test ends. */
export function makeEmptyFolder(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'modelwire-init-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** What tests read of a package.json. */
export interface Manifest {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** The package.json of a project that was just made. */
export const manifestIn = (dir: string): Manifest =>
  JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest // it was just made so

/** Where this repository has a package; its own as npm gets them, with their types: `pnpm pack:all` writes them. */
function placeOf(name: string): string {
  const places = [
    `.packed/node_modules/${name}`,
    // Another version of the compiler is at the root.
    ...(name === 'typescript' ? ['packages/explorer-tests/node_modules/typescript'] : []),
    `node_modules/${name}`,
    `packages/cli/node_modules/${name}`,
    `packages/core/node_modules/${name}`
  ]
  return join(root, places.find((place) => existsSync(join(root, place, 'package.json'))) ?? name)
}

/** What npm install does, with the packages of this repository. */
export function link(dir: string): void {
  const { dependencies, devDependencies = {} } = manifestIn(dir)
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true })
    symlinkSync(placeOf(name), join(dir, 'node_modules', name))
  }
  mkdirSync(join(dir, 'node_modules/.bin'))
  for (const [name, script] of [
    ['modelwire', 'modelwire/dist/main.js'],
    ['tsc', 'typescript/bin/tsc']
  ] as const) {
    writeFileSync(join(dir, 'node_modules/.bin', name), `#!/bin/sh\nexec node "${dir}/node_modules/${script}" "$@"\n`)
    chmodSync(join(dir, 'node_modules/.bin', name), 0o755)
  }
}
