// Measures how a small application starts, from spawn to listening: node scripts/measure-start.mjs [rounds]
// The ten lines of the README on the packed packages (pnpm pack writes them), beside Fastify with TypeBox and plain Fastify.
// Each round starts all three; the table shows medians, and the least and the most.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './build/packed.mjs'

const run = promisify(execFile)
const rounds = Number(process.argv[2] ?? 5)
const folder = join(root, '.packed/start')

const listen = `await app.listen({ port: 0 })
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ cpu: (user + system) / 1000, memory: process.memoryUsage.rss() / 2 ** 20 }))
process.exit()`
const schema = `import { Type } from '@sinclair/typebox'
const product = Type.Object({ name: Type.String(), price: Type.Number() })`
const route = `app.get('/api/Products', async () => [])`
const make = `const app = Fastify({ requestTimeout: 120_000 })`
const programs = {
  'plain Fastify': ["import Fastify from 'fastify'", make, route, listen],
  'Fastify with TypeBox': ["import Fastify from 'fastify'", schema, make, route, listen],
  Modelwire: [
    "import { memory } from '@modelwire/connector-memory'",
    "import { defineModel, modelwire } from '@modelwire/core'",
    "import { rest } from '@modelwire/rest'",
    schema,
    "import Fastify from 'fastify'",
    "const Product = defineModel('Product', product, { public: true })",
    make,
    'app.register(modelwire, { dataSources: { db: memory() }, models: { Product } })',
    "app.register(rest, { prefix: '/api' })",
    listen
  ]
}

mkdirSync(folder, { recursive: true })
const found = Object.entries(programs).map(([name, lines], at) => {
  const path = join(folder, `${at}.mjs`)
  writeFileSync(path, lines.join('\n'))
  return { name, path, runs: [] }
})
for (let round = 0; round < rounds; round++)
  for (const { path, runs } of found) runs.push(JSON.parse((await run(process.execPath, [path])).stdout))

for (const { name, runs } of found)
  console.log(name.padEnd(22), row(runs, 'cpu', 'ms of CPU'), row(runs, 'memory', 'MiB'))

function row(runs, key, unit) {
  const values = runs.map((one) => one[key])
  const times = median(values) / median(found[0].runs.map((one) => one[key]))
  const spread = `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`
  return `${median(values).toFixed(0).padStart(5)} ${unit} (${spread}, × ${times.toFixed(2)})`.padEnd(36)
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
