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
const parts = new Set(['ErrorOptionsSchema', 'SqlSettingsSchema', 'ServerSettingsSchema', 'ListSettingsSchema'])

/**
 * The schemas of options and settings that the doors of the built packages export.
 * @returns {Promise<OptionSchema[]>}
 */
export async function listOptionSchemas() {
  const folders = readdirSync(join(root, 'packages')).toSorted((a, b) => rank(a) - rank(b))
  const listed = (await Promise.all(folders.map(schemasOf))).flat()
  // A door may give what another one gives, too.
  return listed.filter((one, at) => listed.findIndex(({ schema }) => schema === one.schema) === at)
}

function rank(folder) {
  const at = order.indexOf(folder)
  return at === -1 ? order.length : at
}

async function schemasOf(folder) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  if (manifest.private === true) return []
  const doors = Object.entries(manifest.exports ?? {}).filter(([, target]) => target.default?.endsWith('.js'))
  const listed = await Promise.all(
    doors.map(async ([door, target]) => schemasOfDoor(manifest.name, folder, door, target))
  )
  return listed.flat()
}

async function schemasOfDoor(packageName, folder, door, target) {
  const entry = join(root, 'packages', folder, target.default)
  if (!existsSync(entry)) return []
  const exported = Object.entries(await import(pathToFileURL(entry).href))
  return exported
    .filter(([name]) => /(?:Options|Settings)Schema$/.test(name) && !parts.has(name))
    .map(([name, schema]) => ({ package: join(packageName, door), folder, name, schema }))
}
