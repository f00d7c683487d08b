import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createServer } from '#src/assemble/server/create-server.ts'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

/** Files of an application by path: text as it is, everything else as JSON. */
export type Files = Readonly<Record<string, unknown>>

/** Packages of an application, each by the name that it is installed under. */
const usualPackages: Readonly<Record<string, string>> = {
  passport: 'passport',
  'passport-local': 'passport-local',
  'passport-oauth2': 'passport-oauth2',
  'cookie-parser': 'cookie-parser',
  'express-session': 'express-session'
}

export const oldPassport = { ...usualPackages, passport: 'passport-old' }

async function install(dir: string, packages: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(dir, 'node_modules'), { recursive: true })
  for (const [name, installed] of Object.entries(packages)) {
    const manifest = createRequire(import.meta.url).resolve(`${installed}/package.json`)
    await symlink(dirname(manifest), join(dir, 'node_modules', name))
  }
}

export interface AppParts {
  readonly files?: Files
  readonly packages?: Readonly<Record<string, string>>
  /** Hears what the log is told. */
  readonly onLog?: (message: string) => void
}

async function write(dir: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

async function start(t: Test, dir: string, { onLog }: AppParts): Promise<FastifyInstance> {
  const stream = { write: (line: string): void => onLog?.((JSON.parse(line) as { msg: string }).msg) }
  const logger = onLog === undefined ? false : { level: 'warn', stream }
  const app = await createServer({ dir, env: 'development', variables: {}, logger })
  t.teardown(() => app.close())
  return app
}

async function temporaryFolder(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'modelwire-passport-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** The application of the fixtures, whose provider answers at an address. */
export async function startApp(t: Test, at: string, parts: AppParts = {}): Promise<FastifyInstance> {
  const dir = await temporaryFolder(t)
  await cp(join(import.meta.dirname, '../../../test/fixtures/passport-app'), dir, { recursive: true })
  await install(dir, parts.packages ?? usualPackages)
  await write(dir, { 'server/provider.json': { at }, ...parts.files })
  return start(t, dir, parts)
}

const smallFiles: Files = {
  'package.json': { name: 'small', dependencies: { loopback: '^3.0.0' } },
  'server/config.json': { restApiRoot: '/api', remoting: { cors: false, context: false } },
  'server/datasources.json': { db: { connector: 'memory' } },
  'server/middleware.json': { auth: {}, routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } } },
  'server/model-config.json': {
    _meta: { sources: ['loopback-component-passport/lib/models'] },
    User: { dataSource: 'db', public: true },
    AccessToken: { dataSource: 'db', public: false },
    UserIdentity: { dataSource: 'db', public: true },
    UserCredential: { dataSource: 'db', public: true },
    ApplicationCredential: { dataSource: 'db', public: false }
  }
}

/** An application of a few files; `parts.packages` are none unless it says otherwise. */
export async function startSmallApp(t: Test, parts: AppParts = {}): Promise<FastifyInstance> {
  const dir = await temporaryFolder(t)
  await install(dir, parts.packages ?? {})
  await write(dir, { ...smallFiles, ...parts.files })
  return start(t, dir, parts)
}
