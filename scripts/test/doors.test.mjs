import { readFileSync } from 'node:fs'
import t from 'tap'

/** What `file` of core's sources exports, types included. */
function namesIn(file) {
  const code = readFileSync(new URL(`../../packages/core/src/${file}`, import.meta.url), 'utf8')
  const lists = Array.from(code.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, list]) => list.split(','))
  return lists.flat().flatMap((entry) => entry.match(/(\w+)\s*$/)?.[1] ?? [])
}

const main = namesIn('index.ts')
const doors = { plugin: namesIn('plugin-api.ts'), connector: namesIn('connector-api.ts') }

t.test('an application finds no more than 80 names in @modelwire/core', async (t) => {
  t.ok(main.includes('modelwire') && main.includes('defineModel'), 'names are found')
  t.ok(main.length <= 80, `${main.length} names`)
})

t.test('what applications import is in the main door alone', async (t) => {
  for (const [door, names] of Object.entries(doors)) {
    t.ok(names.length > 50, `names of ${door} are found`)
    t.same(
      names.filter((name) => main.includes(name)),
      [],
      door
    )
  }
})

t.test('what connectors import is in their door alone', async (t) => {
  t.same(
    doors.plugin.filter((name) => doors.connector.includes(name)),
    []
  )
})
