// LoopBack 3 in a process of its own: `loopback-process.js LOOPBACK IDS`. Its parent sends the folder of an
// application, which replaces the one before, and is told the URL, and where the application has ids that the database
// makes; or why it does not start.
import { createRequire } from 'node:module'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { IdPlaces } from './object-ids.ts'
import { makeIds, type Connector } from './loopback-ids.ts'

interface Property {
  readonly type: unknown
  readonly id?: unknown
}

interface Relation {
  readonly modelTo?: Model | null
  readonly options?: { readonly http?: { readonly path?: string } }
}

/** The parts of a LoopBack model that are used here. */
interface Model {
  readonly modelName: string
  readonly dataSource?: { readonly connector: Connector } | null
  readonly definition: { readonly properties: Readonly<Record<string, Property>> }
  readonly settings: { readonly http?: { readonly path?: string }; readonly plural?: string }
  readonly pluralModelName: string
  readonly sharedClass?: { readonly http?: { readonly path?: string } }
  readonly relations?: Readonly<Record<string, Relation>>
}

interface App {
  readonly dataSources: Readonly<Record<string, DataSource>>
  listen(port: number, host: string, done: () => void): Server
  models(): readonly Model[]
}

interface DataSource {
  readonly settings: { connectionTimeout?: number }
  readonly connector: Connector
  disconnect(done: () => void): void
}

/** An application that is to be started; nothing is where the one before is only ended. */
interface Wanted {
  readonly appDir?: string
  readonly env?: string
}

type Initialize = (dataSource: DataSource, done: (error?: Error) => void) => void

const [, , loopbackDir = '.', ids = 'counting'] = process.argv
const require = createRequire(join(loopbackDir, 'package.json'))
const { ObjectID } = require('loopback-connector-mongodb') as { ObjectID: unknown } // LoopBack is JavaScript.

/** Its connector makes ids of one kind, in the order of memory's. */
function chooseIds(): void {
  const connector = require('loopback-connector-mongodb') as { initialize: Initialize } // likewise
  const { initialize } = connector
  connector.initialize = (dataSource, done) => {
    // A busy machine takes longer than its 5 seconds.
    dataSource.settings.connectionTimeout = 60_000
    initialize(dataSource, done)
    makeIds(dataSource.connector, ids === 'counting' ? Number : undefined)
  }
}

const pathOf = ({ sharedClass, pluralModelName }: Model): string =>
  (sharedClass?.http?.path ?? pluralModelName).replace('/', '').toLowerCase()

const isObjectId = (type: unknown): boolean => type === ObjectID || (Array.isArray(type) && type[0] === ObjectID)
const hasObjectIds = (model: Model | null | undefined): boolean =>
  Object.values(model?.definition.properties ?? {}).some(({ id, type }) => Boolean(id) && isObjectId(type))

function placesOf(models: readonly Model[]): IdPlaces {
  const properties = models.flatMap((model) => Object.entries(model.definition.properties))
  const relations = models.flatMap(({ relations: all = {} }) => Object.entries(all))
  const names = properties.filter(([, { type }]) => isObjectId(type)).map(([name]) => name)
  return {
    names: [...new Set(names)],
    texts: properties.filter(([name, { type }]) => type === String && !names.includes(name)).map(([name]) => name),
    before: [
      ...models.filter(hasObjectIds).map(pathOf),
      ...relations
        .filter(([, { modelTo }]) => modelTo === undefined || hasObjectIds(modelTo))
        .map(([name, { options: { http } = {} }]) => (http?.path ?? name).toLowerCase()),
      'rel'
    ],
    others: models.filter((model) => !hasObjectIds(model)).map(pathOf)
  }
}

type Close = () => Promise<void>
let close: Close = async () => {}

const closing =
  ({ dataSources }: App, server: Server): Close =>
  async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    for (const dataSource of new Set(Object.values(dataSources)))
      await new Promise<void>((resolve) => dataSource.disconnect(resolve))
  }

async function start(appDir: string, env: string): Promise<{ url: string; places: IdPlaces }> {
  const loopback = require('loopback') as (options: object) => App // likewise
  type Boot = (app: App, options: object, done: (error?: Error | null) => void) => void
  const boot = require('loopback-boot') as Boot // likewise
  const app = loopback({ localRegistry: true, loadBuiltinModels: true })
  await new Promise<void>((resolve, reject) => {
    boot(app, { appRootDir: join(appDir, 'server'), env }, (error) => (error ? reject(error) : resolve()))
  })
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  close = closing(app, server)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, places: placesOf(app.models()) }
}

async function replace({ appDir, env = 'development' }: Wanted): Promise<void> {
  try {
    await close()
    close = async () => {}
    process.env['NODE_ENV'] = env
    process.send?.(appDir === undefined ? {} : await start(appDir, env))
  } catch (error) {
    process.send?.({ error: String(error) })
  }
}

chooseIds()
process.on('disconnect', () => process.exit(0))
process.on('message', (wanted: Wanted) => void replace(wanted))
