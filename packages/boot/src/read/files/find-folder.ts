import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type AppFolder, isFolder } from './app-folder.ts'

/**
 * A folder named in a configuration file: relative to `server/`, absolute, or inside an installed package. Undefined if it
 * does not exist.
 */
export function findFolder(folder: AppFolder, name: string): string | undefined {
  return candidates(folder, name).find(isFolder)
}

function candidates({ serverDir }: AppFolder, name: string): string[] {
  if (isAbsolute(name)) return [name]
  if (/^\.{1,2}(\/|\\|$)/.test(name)) return [resolve(serverDir, name)]
  return [...parents(serverDir).map((parent) => join(parent, 'node_modules', name)), join(serverDir, name)]
}

function parents(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [path, ...parents(above)]
}

/** True for the folders of LoopBack's own package, whose models and mixins are built in. */
export function isBuiltIn(name: string): boolean {
  return /^loopback(-\w+)?\/(common|server)\/(models|mixins)\/?$/.test(name)
}
