import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import type { run } from '#src/run.ts'
import { makeEmptyFolder, root } from './new-project.ts'

/** The part of `scripts/build/packed.mjs` that writes package.json as npm gets it. */
interface Packing {
  readonly listPackages: () => readonly { readonly manifest: { readonly name: string } }[]
  readonly writePackage: (found: object, folder: string) => void
}

/** The parts of a published package.json that say what npm installs. */
export interface PublishedManifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The command as `npm install modelwire` leaves it. */
export interface Installed {
  readonly folder: string
  readonly manifest: PublishedManifest
  readonly load: () => Promise<typeof run>
}

/**
 * Installs the command with its dependencies, without its optional peers.
 * @param without dependencies to leave out
 */
export async function installAlone(t: Test, without: readonly string[] = []): Promise<Installed> {
  const packing = (await import(pathToFileURL(join(root, 'scripts/build/packed.mjs')).href)) as Packing // it exports these
  const folder = join(makeEmptyFolder(t), 'node_modules/modelwire')
  const found = packing.listPackages().find(({ manifest }) => manifest.name === 'modelwire')
  packing.writePackage(Object(found), folder)
  cpSync(join(root, 'packages/cli/dist'), join(folder, 'dist'), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PublishedManifest // it was just written
  for (const name of Object.keys(manifest.peerDependencies))
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  for (const name of Object.keys(manifest.dependencies).filter((each) => each.startsWith('@modelwire/'))) {
    if (without.includes(name)) continue
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'packages', name.replace('@modelwire/', '')), link)
  }
  const load = async (): Promise<typeof run> => {
    const loaded: unknown = await import(pathToFileURL(join(folder, 'dist/run.js')).href)
    return (loaded as { run: typeof run }).run // the command exports it
  }
  return { folder, manifest, load }
}
