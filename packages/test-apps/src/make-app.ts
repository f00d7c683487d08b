import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { createServer, type ServerOptions } from '@modelwire/boot'

/** Files of an application by path: text as it is, everything else as JSON; undefined leaves a usual file out. */
export type Files = Readonly<Record<string, unknown>>

/** What every application of these tests has unless it says otherwise. */
export const usualFiles: Files = {
  'server/config.json': {
    restApiRoot: '/api',
    remoting: { context: false, cors: false, sharedMethods: { updateAll: true } }
  },
  'server/datasources.json': { db: { connector: 'memory' } },
  'server/middleware.json': {
    initial: {},
    routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } },
    files: {},
    final: { 'loopback#urlNotFound': {} },
    'final:after': { 'strong-error-handler': { params: { log: false } } }
  },
  'server/model-config.json': {
    _meta: { sources: ['../common/models'], mixins: ['../common/mixins'] },
    Thing: { dataSource: 'db', public: true }
  },
  'common/models/thing.json': { name: 'Thing', base: 'PersistedModel', properties: { label: 'string' } }
}

/** Writes an application to a folder that goes with the test. */
export async function makeFolder(t: Test, files: Files): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-boot-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) continue
    const path = join(dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return dir
}

/** A server for an application of usual files and `files`, closed with the test. */
export async function bootApp(
  t: Test,
  files: Files = {},
  options: Partial<ServerOptions> = {}
): Promise<FastifyInstance> {
  const dir = await makeFolder(t, { ...usualFiles, ...files })
  const server = await createServer({ dir, env: 'development', variables: {}, logger: false, ...options })
  t.teardown(() => server.close())
  return server
}

/** What `bootApp` is refused with: code, file and key. */
export async function refusal(
  t: Test,
  files: Files,
  options: Partial<ServerOptions> = {}
): Promise<{ code: string; file?: string; key?: string }> {
  try {
    await bootApp(t, files, options)
  } catch (error) {
    // A definition is wrong: nothing else keeps these applications from starting.
    const { code, where } = error as { code: string; where: { file?: string; key?: string } }
    return {
      code,
      ...(where.file === undefined ? {} : { file: where.file }),
      ...(where.key === undefined ? {} : { key: where.key })
    }
  }
  throw new Error('the application was started')
}

/** The notes of a server as `file: key: reason`. */
export function notesOf(server: FastifyInstance): string[] {
  return server.bootReport.notes.map(({ file, key, reason }) =>
    [file, key, reason].filter((part) => part !== undefined).join(': ')
  )
}
