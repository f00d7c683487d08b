// Sends the same list twice to a small application and reports which functions of the packages each of the two enters:
// node trace-lists.mjs; the answer is sent to the parent process.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { root } from '../markdown-files.mjs'
import { startCoverage } from './coverage.mjs'
import { tracedUrl } from './traced-request.mjs'

/** Requests before the warm one: caches are filled by the second one. */
const warmUps = 3

const load = (folder) => import(pathToFileURL(join(root, 'packages', folder, 'dist/index.js')).href)
const fastify = createRequire(join(root, 'packages/rest/package.json'))('fastify')

async function makeApp() {
  const [{ modelwire }, { memory }, { rest }] = await Promise.all(['core', 'connector-memory', 'rest'].map(load))
  const properties = { name: { type: 'string', required: true }, price: 'number' }
  const app = fastify()
  await app.register(modelwire, {
    dataSources: { db: memory() },
    models: [{ name: 'Product', public: true, properties }]
  })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  const { Product } = app.models
  for (let price = 1; price <= 30; price++) await Product.create({ name: `Product ${price}`, price })
  return app
}

async function list(app) {
  const { statusCode, payload } = await app.inject(tracedUrl)
  if (statusCode !== 200) throw new Error(`the list answers ${statusCode}: ${payload}`)
}

/** Runs `during` on a first list and on a warm one of an application of its own. */
async function onLists(during) {
  const app = await makeApp()
  const first = await during('first', () => list(app))
  for (let count = 0; count < warmUps; count++) await list(app)
  const warm = await during('warm', () => list(app))
  await app.close()
  return { first, warm }
}

/** Makes the function that asks the debugger, which runs in a thread of its own: a thread that is paused cannot go on by itself. */
async function startDebugger() {
  const worker = new Worker(new URL('debugger.mjs', import.meta.url))
  const ask = async (message) => {
    worker.postMessage(message, [])
    const [answer] = await once(worker, 'message')
    return answer
  }
  return { ask, stop: () => worker.terminate() }
}

const coverage = await startCoverage()
const entered = await onLists((_, run) => coverage.during(run))
await coverage.stop()

const { ask, stop } = await startDebugger()
const traced = await onLists(async (which, run) => {
  await ask({ watch: entered[which] })
  await run()
  return ask({ report: true })
})
await stop()
process.send(traced)
