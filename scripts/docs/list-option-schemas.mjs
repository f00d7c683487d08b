import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './markdown-files.mjs'

/**
 * @typedef {{ package: string, folder: string, name: string, schema: object }} OptionSchema
 */

// A reader gets from the most common plugin to the rarer ones; what is not listed comes last.
const order = ['core', 'rest', 'relations', 'acl', 'users', 'oauth2', 'boot', 'explorer']

// Exported for those who build on them, and shown as parts of the schemas that contain them.
const parts = new Set(['ErrorOptionsSchema', 'SqlSettingsSchema', 'ServerSettingsSchema'])

/**
 * The schemas of options and settings that the built packages export.
 * @returns {Promise<OptionSchema[]>}
 */
export async function listOptionSchemas() {
  const folders = readdirSync(join(root, 'packages')).toSorted((a, b) => rank(a) - rank(b))
  const listed = await Promise.all(folders.map(schemasOf))
  return listed.flat()
}

function rank(folder) {
  const at = order.indexOf(folder)
  return at === -1 ? order.length : at
}

async function schemasOf(folder) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  const entry = join(root, 'packages', folder, 'dist/index.js')
  if (manifest.private === true || !existsSync(entry)) return []
  const exported = Object.entries(await import(pathToFileURL(entry).href))
  return exported
    .filter(([name]) => /(?:Options|Settings)Schema$/.test(name) && !parts.has(name))
    .map(([name, schema]) => ({ package: manifest.name, folder, name, schema }))
}
