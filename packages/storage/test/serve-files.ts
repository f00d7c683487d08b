import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CoreOptions, type ModelClass, type ModelDefinition, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { storage, type StorageConnector, type StorageMethods } from '#src/index.ts'

declare module '@modelwire/core' {
  interface Models {
    Container: ModelClass & StorageMethods
  }
}

export type Settings = Parameters<typeof storage>[0]

/** A server of files, and where they are. */
export interface Served {
  readonly app: FastifyInstance
  readonly root: string
  readonly connector: StorageConnector
}

export const containerModel: ModelDefinition = { name: 'Container', base: 'Model', plural: 'containers', public: true }

/** A folder that goes when the test ends. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-storage-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Serves the model Container on a storage of its own. */
export async function serveFiles(t: Test, settings: Settings = {}, options: CoreOptions = {}): Promise<Served> {
  const root = typeof settings.root === 'string' ? settings.root : await temporaryFolder(t)
  const connector = storage(settings.provider === 'amazon' ? settings : { root, ...settings })
  const app = Fastify({ requestTimeout: 30_000 })
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { files: connector },
    models: [containerModel],
    shutdownTime: 0,
    ...options
  })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return { app, root, connector }
}
