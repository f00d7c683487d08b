import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { isPlainObject } from '@modelwire/core/plugin'
import { type AppFolder, isFile } from '../app-folder.ts'
import { readJsonFile } from '../config/read-json-file.ts'
import { findFolder, isBuiltIn } from '../find-folder.ts'
import { scriptsAmong } from '../scripts/load-script.ts'
import { mixinName } from './mixin-name.ts'

/**
 * The scripts in the mixin folders by the name of their mixin: that of the file, or `name` in a JSON file beside it. Of two
 * scripts for one mixin the later counts.
 */
export function findMixins(folder: AppFolder, sources: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const source of sources.filter((name) => !isBuiltIn(name))) {
    const path = findFolder(folder, source)
    for (const script of path === undefined ? [] : scriptsIn(path)) found.set(nameOf(folder, script), script)
  }
  return found
}

function scriptsIn(path: string): string[] {
  return scriptsAmong(readdirSync(path))
    .toSorted()
    .map((name) => join(path, name))
}

function nameOf(folder: AppFolder, script: string): string {
  const ending = extname(script)
  const described = `${script.slice(0, -ending.length)}.json`
  const meta = isFile(described) ? readJsonFile(folder, described) : undefined
  return isPlainObject(meta) && typeof meta['name'] === 'string' ? meta['name'] : mixinName(basename(script, ending))
}
